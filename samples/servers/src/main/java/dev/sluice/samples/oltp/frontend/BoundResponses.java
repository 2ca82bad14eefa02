package dev.sluice.samples.oltp.frontend;

import dev.sluice.handle.Handle;
import dev.sluice.leaderfollowers.BoundLeaderFollowersPool;
import dev.sluice.leaderfollowers.LeaderFollowersPool;
import dev.sluice.leaderfollowers.ThreadContext;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.Registration;
import java.io.IOException;
import java.time.Duration;

/**
 * The link is one more handle of the pool that serves the clients, and who waits for a response is bound to it for that
 * long (Leader/Followers paper, 10.1, 10.3 and 10.4).
 */
final class BoundResponses implements Responses {

    private final LeaderFollowersPool pool;
    private final BoundLeaderFollowersPool<byte[]> bound;

    BoundResponses(LeaderFollowersPool pool) {
        this.pool = pool;
        // Late ones: who expected them has told its client so.
        this.bound = new BoundLeaderFollowersPool<>(pool, (tag, response) -> { });
    }

    @Override
    public Registration receive(Handle handle, EventHandler link) throws IOException {
        return bound.register(handle, link);
    }

    @Override
    public PendingResponse expect(long tag) throws IOException {
        ThreadContext<byte[]> context = bound.expectResponse(tag);
        return deadline -> bound.join(context, Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
    }

    @Override
    public void handOff(long tag, byte[] response) {
        bound.handOff(tag, response);
    }

    @Override
    public void lose(IOException cause) {
        // The bound pool has seen the end of the registration itself.
    }
}
