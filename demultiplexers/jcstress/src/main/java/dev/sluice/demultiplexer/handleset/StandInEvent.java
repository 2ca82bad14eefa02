package dev.sluice.demultiplexer.handleset;

import dev.sluice.calls.Errno;
import dev.sluice.jcstress.BoundedWait;
import java.util.concurrent.atomic.AtomicInteger;

/** A non-blocking eventfd of the {@link StandInSystem}. */
final class StandInEvent {

    private final AtomicInteger count = new AtomicInteger();
    private final AtomicInteger closes = new AtomicInteger();
    private final AtomicInteger strayCalls = new AtomicInteger();
    private final BoundedWait wait = new BoundedWait();

    long write() {
        look();
        count.incrementAndGet();
        wait.signal();
        return Long.BYTES;
    }

    long read() {
        look();
        return count.getAndSet(0) > 0 ? Long.BYTES : -Errno.EAGAIN.number();
    }

    int close() {
        closes.incrementAndGet();
        return 0;
    }

    private void look() {
        if (closes.get() > 0) {
            strayCalls.incrementAndGet();
        }
    }

    boolean isReadable() {
        return count.get() > 0;
    }

    /** {@return how often it has been closed} */
    int closes() {
        return closes.get();
    }

    /** {@return the number of calls after the close, which would have hit a reused descriptor} */
    int strayCalls() {
        return strayCalls.get();
    }

    /**
     * Waits until it is readable.
     *
     * @param timeoutNanos negative for as long as it takes
     * @return whether it is
     */
    boolean await(long timeoutNanos) {
        boolean inTime = true;
        while (!isReadable() && inTime) {
            inTime = wait.await(timeoutNanos);
        }
        return isReadable();
    }
}
