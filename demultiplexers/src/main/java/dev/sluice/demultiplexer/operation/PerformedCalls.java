package dev.sluice.demultiplexer.operation;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A linked list, without a lock, of the calls that have returned, on their way from the threads of a {@link FilePool}
 * to the thread inside; and the signal for that thread, of which there is one until it takes the list.
 */
final class PerformedCalls {

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final Runnable signal;
    private final Consumer<Throwable> failures;
    private final AtomicReference<PooledCall> latest = new AtomicReference<>();
    /** Whether a signal has been given, or is being given, since the list was last taken. */
    private final AtomicBoolean signalled = new AtomicBoolean();
    private volatile boolean closed;

    PerformedCalls(Runnable signal, Consumer<Throwable> failures) {
        this.signal = signal;
        this.failures = failures;
    }

    boolean isEmpty() {
        return latest.get() == null;
    }

    // Called by threads of the pool

    void add(PooledCall call) {
        PooledCall before;
        do {
            before = latest.get();
            call.nextPerformed = before;
        } while (!latest.compareAndSet(before, call));
    }

    /** Gives a signal, if there are calls for which there has been none. */
    void signal() {
        if (latest.get() != null && signalled.compareAndSet(false, true)) {
            signalUntilAccepted();
        }
    }

    /** Repeats the signal until it succeeds: threads that add a call later do not give one. */
    private void signalUntilAccepted() {
        boolean reported = false;
        while (!closed) {
            try {
                signal.run();
                return;
            } catch (RuntimeException | Error e) {
                if (!reported) {
                    failures.accept(e);
                }
                reported = true;
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    // Called by the thread inside

    boolean isSignalled() {
        return signalled.get();
    }

    /** {@return the calls, linked by {@link PooledCall#takeNextPerformed}; null if there are none} */
    @Nullable PooledCall take() {
        // Before the list is taken: a call that is added later needs another signal. The reads avoid writes to shared
        // cache lines in each iteration of the loop.
        if (signalled.get()) {
            signalled.set(false);
        }
        return latest.get() == null ? null : latest.getAndSet(null);
    }

    /** Ends the repetition of signals. */
    void close() {
        closed = true;
    }
}
