package dev.sluice.demultiplexer.operation;

import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The threads that wait on a {@link MultiThreadedProcessor}, and the signal that makes one of them return if there is
 * something to do that no other thread will do. One of them, the timekeeper, waits no longer than until the earliest
 * deadline. Used inside, except where noted.
 */
final class WaitingThreads {

    /** The maximum number of repetitions of a signal that the system refuses. */
    private static final int SIGNALS = 100;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final MultiThreadedProcessor processor;
    private final AtomicBoolean signalCommanded = new AtomicBoolean();
    private final Command signalCommand = new Command() {
        @Override
        void perform() {
            signalCommanded.set(false);
            signal();
        }

        @Override
        boolean repeats() {
            return signalCommanded.compareAndSet(false, true);
        }
    };

    private final Deadlines deadlines = new Deadlines();
    private int count;
    private boolean signalled;
    private @Nullable Thread timekeeper;
    private long keptDeadline;
    /** The exception of a signal that must be repeated; null if there is none. Written inside. */
    private volatile @Nullable Throwable refusal;

    WaitingThreads(MultiThreadedProcessor processor) {
        this.processor = processor;
    }

    Deadlines deadlines() {
        return deadlines;
    }

    boolean isEmpty() {
        return count == 0;
    }

    // Waiting

    /**
     * Counts the calling thread as waiting, and makes it the timekeeper if it may sleep and no other thread waits until
     * the earliest deadline.
     *
     * @param timeoutNanos the timeout of the caller; negative means no limit
     * @param onlyLooks    whether the thread must not sleep
     * @return the timeout to wait with
     */
    long add(long timeoutNanos, boolean onlyLooks) {
        long bound = onlyLooks ? 0 : timeoutNanos;
        if (!onlyLooks && isDeadlineUnattended()) {
            Thread current = Thread.currentThread();
            bound = deadlines.bound(timeoutNanos);
            keptDeadline = deadlines.next();
            timekeeper = current;
        }
        // No call follows the changes: if there is no stack for one, the thread does not count as waiting.
        count++;
        return bound;
    }

    void removeCurrent() {
        count--;
        if (timekeeper == Thread.currentThread()) {
            timekeeper = null;
        }
    }

    private boolean isDeadlineUnattended() {
        return !deadlines.isEmpty() && (timekeeper == null || deadlines.next() - keptDeadline < 0);
    }

    // Signals

    /**
     * {@return whether a waiting thread has to be signalled, because there is something to do that no other thread will
     * do}
     *
     * @param needed whether the mechanism needs a thread
     */
    boolean needSignal(boolean needed) {
        return refusal != null || !signalled && (needed || processor.hasToDo() || isDeadlineUnattended());
    }

    /** Called when a wait has been ended by a signal, or may have been. */
    void signalTaken() {
        signalled = false;
    }

    /** Signals one of the threads, and then no other until it has returned. */
    void signalOnce() {
        signalled = signal();
    }

    /**
     * Signals one of the threads, if there are any. A signal that the system refuses is repeated as soon as the caller
     * is outside.
     *
     * @return whether a thread has been signalled
     */
    boolean signal() {
        refusal = null;
        if (isEmpty()) {
            return false;
        }
        try {
            processor.signal();
            return true;
        } catch (UncheckedIOException | OutOfMemoryError | StackOverflowError e) {
            refusal = e;
            return false;
        }
    }

    /**
     * Queues a command that signals one of the threads. May be called by any thread.
     *
     * @return whether the command has to be performed; false if it is queued already, or after the close
     */
    boolean queueSignal() {
        return signalCommanded.compareAndSet(false, true) && processor.commands.push(signalCommand);
    }

    /** Repeats a signal that the system has refused. Called outside, because other threads must not wait for it. */
    void repeatRefusedSignal() {
        for (int left = SIGNALS; refusal != null && left > 0; left--) {
            LockSupport.parkNanos(PAUSE_NANOS);
            processor.entrance.exitAgain();
        }
        Throwable last = refusal;
        if (last instanceof Error error) {
            throw error;
        }
        if (last != null) {
            throw (UncheckedIOException) last;
        }
    }
}
