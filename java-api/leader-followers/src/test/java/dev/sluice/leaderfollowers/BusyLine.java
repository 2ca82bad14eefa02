package dev.sluice.leaderfollowers;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.handle.Handle;
import dev.sluice.handle.Pipe;
import dev.sluice.reactor.OneHandleHandler;
import dev.sluice.reactor.Registration;
import dev.sluice.testing.WineDifference;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** A handler that takes its time, and watches whether it is alone with its handle. */
final class BusyLine extends OneHandleHandler {

    private final LeaderFollowersPool pool;
    private final Pipe pipe;
    private final Queue<String> violations;
    private final AtomicBoolean busy = new AtomicBoolean();
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong received = new AtomicLong();
    private final AtomicInteger closed = new AtomicInteger();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(256);

    BusyLine(LeaderFollowersPool pool, Pipe pipe, Queue<String> violations) {
        this.pool = pool;
        this.pipe = pipe;
        this.violations = violations;
    }

    void send() throws IOException {
        while (pipe.send(ByteBuffer.wrap(new byte[1])) == 0) {
            assertTrue(WineDifference.SEND_IS_REFUSED_DURING_ANOTHER.isPresent(), "there is no room");
            Thread.yield();
        }
        sent.incrementAndGet();
    }

    /** {@return whether the system has closed the end that this reads from} */
    boolean isReleased() {
        try {
            pipe.send(ByteBuffer.wrap(new byte[1]));
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    boolean hasAll() {
        return received.get() == sent.get();
    }

    long received() {
        return received.get();
    }

    int closed() {
        return closed.get();
    }

    @Override
    public Handle handle() {
        return pipe.source();
    }

    @Override
    public void handleInput(Registration registration) throws IOException {
        enter("handleInput");
        try {
            int count;
            do {
                count = pipe.receive(buffer.clear());
                received.addAndGet(Math.max(count, 0));
            } while (count > 0);
            takeTime();
        } finally {
            busy.set(false);
        }
    }

    private void takeTime() throws IOException {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        switch (random.nextInt(8)) {
            case 0 -> LockSupport.parkNanos(random.nextInt(300_000));
            case 1 -> Thread.yield();
            case 2 -> pool.promoteNewLeader();
            case 3 -> pool.join(Duration.ZERO);
            default -> { }
        }
    }

    @Override
    public void handleClose(Registration registration) {
        enter("handleClose");
        closed.incrementAndGet();
        busy.set(false);
    }

    @Override
    public void handleFailure(Registration registration, Throwable cause) {
        // The pipe may have been closed by another thread while the hook was receiving.
        if (registration.handle().isOpen()) {
            violations.add(this + ": " + cause);
        }
    }

    private void enter(String hook) {
        if (!busy.compareAndSet(false, true)) {
            violations.add(this + ": two threads at once, one in " + hook);
        }
    }
}
