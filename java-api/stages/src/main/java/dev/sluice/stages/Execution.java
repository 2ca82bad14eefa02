package dev.sluice.stages;

import java.util.Objects;

/**
 * What runs one stage, made by {@link StageThreads}: chooses the threads that call {@link #runBatch}. Notified of
 * new events by {@link #run}. Several threads may run batches at once, unless the stage {@linkplain #isExclusive() is
 * exclusive}. A stage whose execution throws when it is started is not added; other exceptions of these methods are
 * logged.
 */
public abstract class Execution implements Runnable {

    /** The stage that is run. */
    final Stage<?> stage;

    /**
     * Creates an execution, which the graph starts later.
     *
     * @param stage the stage to run
     */
    protected Execution(Stage<?> stage) {
        this.stage = Objects.requireNonNull(stage, "stage");
    }

    /** {@return whether the stage has an event that no thread has taken} */
    protected final boolean hasEvent() {
        return stage.handling.hasEvent();
    }

    /**
     * Takes a batch and handles it, in the calling thread.
     *
     * @param threads the number of threads that may do the same, each of which takes a share
     * @return the number of events taken
     */
    protected final int runBatch(int threads) {
        return stage.handling.run(threads);
    }

    /** {@return whether only one thread at a time may run a batch} */
    protected final boolean isExclusive() {
        return stage.exclusive;
    }

    /** Called by any thread when events have been added, or the stage has been started. Takes no lock. */
    @Override
    public abstract void run();

    /** Starts the stage. Events may have been added before. */
    protected abstract void start();

    /** Called by a thread that has taken events and is about to handle them, which may take long. */
    protected void taken() {
    }

    /** {@return the number of threads of its own} */
    protected int threads() {
        return 0;
    }

    /** {@return the number of threads that {@link #setThreads} changes} */
    int ownThreads() {
        return threads();
    }

    /**
     * Adds or removes threads. Only for a stage with threads of its own.
     *
     * @param count the number that a controller asks for, of any size
     */
    protected void setThreads(int count) {
    }

    /**
     * {@return the time in nanoseconds for which the longest idle of its own threads has been idle}
     *
     * @param now by {@link System#nanoTime()}
     */
    protected long longestIdle(long now) {
        return 0;
    }

    /** {@return a description for display, such as {@code shares a pool}} */
    protected abstract String description();

    /** Called when there will be no more events. */
    protected void end() {
    }

    /** Repeats a run that has failed for lack of memory. Called periodically by the thread of the controllers. */
    protected void runAgain() {
    }

    /** Interrupts threads that have not returned within the deadline. */
    protected void interrupt() {
    }

    /**
     * Waits until all threads of its own have ended.
     *
     * @param deadline by {@link System#nanoTime()}
     * @return true if they have
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    protected boolean awaitEnd(long deadline) throws InterruptedException {
        return true;
    }
}
