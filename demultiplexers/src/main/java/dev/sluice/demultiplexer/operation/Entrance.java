package dev.sluice.demultiplexer.operation;

import dev.sluice.failure.Failures;
import dev.sluice.handle.HandleClosedException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The entrance of a {@link MultiThreadedProcessor}: admits one thread at a time. A thread that finds another one inside
 * spins, or queues a command and leaves it to a thread that is about to exit: that checks for commands afterwards. May
 * be used by any thread, except where noted.
 */
final class Entrance {

    /**
     * About as long as it takes the thread inside to make some system calls. A yield costs a context switch: with four
     * threads on two processors, and hooks that compute for 20 µs, there were six for each request when they yielded
     * sooner. With one processor the thread inside continues only when the others yield.
     */
    private static final int SPINS = Runtime.getRuntime().availableProcessors() == 1 ? 0 : 1000;

    private final MultiThreadedProcessor processor;
    private final AtomicBoolean inside = new AtomicBoolean();
    // Allocated in advance, because there may be no memory when they are used
    /** Exits, performs queued commands, and repeats a signal that the system has refused. */
    final Runnable leaving = this::leave;
    /** Performs queued commands, and repeats a signal that the system has refused. Run outside. */
    final Runnable performing = this::performQueuedCommandsAndSignal;
    /** Performs queued commands. Run outside. */
    final Runnable performingOnly = this::performQueuedCommands;

    Entrance(MultiThreadedProcessor processor) {
        this.processor = processor;
    }

    private boolean tryEnter() {
        Thread current = Thread.currentThread();
        // The read avoids that each spin of a thread takes the cache line from the thread inside.
        if (inside.get() || !inside.compareAndSet(false, true)) {
            return false;
        }
        // No call follows, because there might be no stack for it.
        processor.holder = current;
        return true;
    }

    /** Enters; a thread that is inside already stays there. */
    void enter() {
        for (int spins = 0; !processor.isInside() && !tryEnter(); spins++) {
            pause(spins);
        }
    }

    /**
     * Enters in order to wait; a thread that is inside already, because there was no stack for an exit, stays there.
     *
     * @throws HandleClosedException if the processor is being closed
     */
    void enterToWait() throws HandleClosedException {
        for (int spins = 0; !processor.isInside() && !tryEnter(); spins++) {
            // The closing thread stays inside.
            processor.requireNotClosing();
            pause(spins);
        }
        if (processor.isClosing()) {
            leave();
            processor.requireNotClosing();
        }
    }

    private static void pause(int spins) {
        if (spins < SPINS) {
            Thread.onSpinWait();
        } else {
            // The system may have suspended the thread inside.
            Thread.yield();
        }
    }

    private void leave() {
        try {
            exit();
        } finally {
            performQueuedCommandsAndSignal();
        }
    }

    private void performQueuedCommandsAndSignal() {
        try {
            performQueuedCommands();
        } finally {
            processor.repeatRefusedSignal();
        }
    }

    /** Enters and exits again, unless another thread is inside, and thereby does what each exit does. */
    void exitAgain() {
        if (tryEnter()) {
            exit();
            // Threads that found this one inside have queued their commands.
            performQueuedCommands();
        }
    }

    /** Performs the commands of threads that found another one inside, which otherwise might wait for a long time. */
    void performQueuedCommands() {
        Throwable failure = null;
        while (!processor.commands.isEmpty() && tryEnter()) {
            try {
                advanceAndExit();
            } catch (RuntimeException | Error e) {
                failure = Failures.and(failure, e);
            }
        }
        Failures.throwFirst(failure);
    }

    private void advanceAndExit() {
        try {
            processor.advance();
        } catch (StackOverflowError e) {
            processor.overflow = e;
            throw e;
        } finally {
            exit();
        }
    }

    private void exit() {
        try {
            processor.exiting();
        } finally {
            unlock();
        }
    }

    /** Admits another thread. Called inside, by an exit or by a thread that is about to wait. */
    void unlock() {
        Thread leaving = processor.holder;
        processor.holder = null;
        boolean left = false;
        try {
            inside.set(false);
            left = true;
        } finally {
            // No call follows, because there might be no stack for it. The thread leaves after its next wait.
            if (!left) {
                processor.holder = leaving;
            }
        }
    }
}
