package dev.sluice.leaderfollowers;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.handle.Pipe;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.Registration;
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
    private final Registration registration;

    OneHandle() {
        try {
            pool = LeaderFollowersPool.open(Mechanism.AUTO, PromotionOrder.LIFO, false);
            pipe = Pipe.open();
            send();
            registration = pool.register(pipe.source(), Interest.READ, this);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void send() throws IOException {
        pipe.send(ByteBuffer.allocate(1));
    }

    // Receives the octet last: until then, a thread that waits on the handle would find it ready.
    @Override
    public void handleInput(Registration ready) throws IOException {
        if (!occupied.compareAndSet(false, true)) {
            throw new IllegalStateException("two threads dispatch one handle");
        }
        dispatched.set(dispatched.get() + 1);
        pipe.receive(ByteBuffer.allocate(1));
        occupied.set(false);
    }

    void pause() {
        registration.pause();
    }

    void resume() {
        registration.resume();
    }

    /** {@return the number of events that the caller has dispatched, without waiting for any} */
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
     * @return the number of events that were left over; negative if something went wrong
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
    public void handleFailure(Registration failed, Throwable cause) {
        LoggerFactory.getLogger(OneHandle.class).error("{}", failed, cause);
        failures.set(FAILED);
    }
}
