package dev.sluice.demultiplexer.operation;

import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * The threads that wait on a {@link MultiThreadedProcessor}, and the signal that makes one of them return: because
 * there is something that no awake thread will do. One of them, the timekeeper, waits no longer than until the earliest
 * deadline. Used inside, except where it says otherwise.
 */
final class WaitingThreads {

    /** How often a signal that the system refuses is repeated, and after what pause. */
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
    private Thread timekeeper;
    private long keptDeadline;
    /** The refusal of a signal that a waiting thread needs, or the lack of memory or stack for it; written inside. */
    private volatile Throwable refusal;

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
     * Counts the calling thread as waiting, and makes it the timekeeper if it sleeps and no other thread watches the
     * earliest deadline.
     *
     * @param timeoutNanos for which it wants to wait; negative means forever
     * @param onlyLooks    whether it must not sleep
     * @return for which it may wait
     */
    long add(long timeoutNanos, boolean onlyLooks) {
        count++;
        if (onlyLooks) {
            return 0;
        }
        if (!isDeadlineUnattended()) {
            return timeoutNanos;
        }
        timekeeper = Thread.currentThread();
        keptDeadline = deadlines.next();
        return deadlines.bound(timeoutNanos);
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
     * {@return whether one of them has to be signalled, for what awake threads leave}
     *
     * @param needed whether the mechanism needs one
     */
    boolean needSignal(boolean needed) {
        return refusal != null || !signalled && (needed || processor.hasToDo() || isDeadlineUnattended());
    }

    /** A wait has brought a signal, or may have. */
    void signalTaken() {
        signalled = false;
    }

    /** Signals one of them, and no other one until it has returned. */
    void signalOnce() {
        signalled = signal();
    }

    /**
     * Signals one of them, if there are any. A signal that the system refuses is repeated as soon as the caller is
     * outside.
     *
     * @return whether one is signalled
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
     * Leaves a command that signals one of them. May be called by any thread.
     *
     * @return whether the command has to be performed; false if one has been left already, or after the close
     */
    boolean leaveSignal() {
        return signalCommanded.compareAndSet(false, true) && processor.commands.push(signalCommand);
    }

    /** Repeats a signal that the system has refused. Called outside, because others must not wait for it. */
    void repeatRefusedSignal() {
        for (int left = SIGNALS; refusal != null && left > 0; left--) {
            LockSupport.parkNanos(PAUSE_NANOS);
            processor.exitAgain();
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
