package dev.sluice.leaderfollowers;

import dev.sluice.demultiplexer.EventType;
import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.handle.Handle;
import dev.sluice.handle.Pipe;
import dev.sluice.reactor.EventHandler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.LoggerFactory;

/** A pool on a handle set of the system with a single handle, a pipe with one octet in it. */
final class OneHandle implements EventHandler {

    private static final int FAILED = 10;

    private final ThreadLocal<Integer> dispatched = ThreadLocal.withInitial(() -> 0);
    private final AtomicBoolean occupied = new AtomicBoolean();
    private final AtomicInteger failures = new AtomicInteger();
    private final LeaderFollowersPool pool;
    private final Pipe pipe;

    OneHandle() {
        try {
            pool = LeaderFollowersPool.open(Mechanism.AUTO, PromotionOrder.LIFO, false);
            pipe = Pipe.open();
            send();
            pool.registerHandler(this, EventType.READ);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void send() throws IOException {
        pipe.send(ByteBuffer.allocate(1));
    }

    @Override
    public Handle handle() {
        return pipe.source();
    }

    // Receives the octet last: until then, a thread that waits on the handle would find it ready.
    @Override
    public void handleInput(Handle handle) throws IOException {
        if (!occupied.compareAndSet(false, true)) {
            throw new IllegalStateException("two threads dispatch one handle");
        }
        dispatched.set(dispatched.get() + 1);
        pipe.receive(ByteBuffer.allocate(1));
        occupied.set(false);
    }

    void deactivate() {
        pool.deactivateHandle(handle());
    }

    void reactivate() {
        pool.reactivateHandle(handle());
    }

    /** {@return how many events the caller has dispatched, without waiting for any} */
    int look() {
        try {
            pool.join(Duration.ZERO);
            return dispatched.get();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            dispatched.remove();
        }
    }

    /**
     * Sends one octet more, for a caller that is alone.
     *
     * @return how many events were left over; negative if something went wrong
     */
    int drain() {
        try {
            int before = look();
            send();
            return before + look() - failures.get();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            pool.close();
            pipe.close();
        }
    }

    @Override
    public void handleFailure(Handle handle, Throwable cause) {
        LoggerFactory.getLogger(OneHandle.class).error("{}", handle, cause);
        failures.set(FAILED);
    }
}
