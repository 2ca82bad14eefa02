package dev.sluice.samples.hybrid;

import dev.sluice.handle.SocketStream;
import dev.sluice.leaderfollowers.BoundLeaderFollowersPool;
import dev.sluice.leaderfollowers.LeaderFollowersPool;
import dev.sluice.leaderfollowers.ThreadContext;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.Registration;
import dev.sluice.samples.lines.Lines;
import dev.sluice.samples.server.FileProblem;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection to the peer, for one call at a time. */
final class PeerLink implements EventHandler, Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(PeerLink.class);

    /** On the stack of one thread: enough for as many clients as would have dozens of megabytes of stack in use. */
    private static final int MAX_NESTED = 256;

    private final SocketStream peer;
    private final Lines lines = new Lines();
    private final BoundLeaderFollowersPool<Response> bound;
    private final Consumer<PeerLink> onEnd;
    private long calls;

    /**
     * Begins to receive.
     *
     * @param pool  whose threads call
     * @param peer  owned by this object from now on
     * @param onEnd called when the connection has ended, by any thread
     */
    PeerLink(LeaderFollowersPool pool, SocketStream peer, Consumer<PeerLink> onEnd) throws IOException {
        this.peer = peer;
        this.onEnd = onEnd;
        this.bound = new BoundLeaderFollowersPool<>(pool,
                (id, late) -> LOG.warn("{}: unexpected response '{}'", peer, late.line()), MAX_NESTED);
        try {
            bound.register(peer.handle(), this);
        } catch (Throwable e) {
            peer.close();
            throw e;
        }
    }

    /** {@return whether the peer has not closed it, as far as is known} */
    boolean isOpen() {
        return peer.handle().isOpen();
    }

    /** Waits for the peer's answer; in the meantime this thread answers other calls. */
    long call(int number, Duration timeout) throws IOException {
        Call call = new Call(++calls, number);
        ThreadContext<Response> context = bound.expectResponse(call.id());
        peer.sendFully(Lines.encode(call.line()), timeout);
        return bound.join(context, timeout).require();
    }

    @Override
    public void handleInput(Registration registration) throws IOException {
        if (!lines.receive(peer)) {
            throw new IOException("the peer has closed " + peer);
        }
        for (String line = lines.next(); line != null; line = lines.next()) {
            Response response = Response.parse(line);
            bound.handOff(response.id(), response);
        }
    }

    @Override
    public void handleFailure(Registration registration, Throwable cause) {
        LOG.info("{}", FileProblem.describe(cause));
    }

    @Override
    public void handleClose(Registration registration) {
        try {
            onEnd.accept(this);
        } finally {
            close();
        }
    }

    @Override
    public void close() {
        peer.close();
    }

    /** {@return for example {@code link tcp 127.0.0.1:7008}} */
    @Override
    public String toString() {
        return "link " + peer;
    }
}
