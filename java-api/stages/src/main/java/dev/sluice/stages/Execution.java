package dev.sluice.stages;

/**
 * Decides which threads run a stage by calling {@link BatchHandling#runBatch}. Notified of new events by {@link #run}.
 */
abstract class Execution implements Runnable {

    /** Events have been added, or the stage has been started. Called by any thread; takes no lock. */
    @Override
    public abstract void run();

    /** The stage begins. Events may have been added before. */
    abstract void start();

    /** Some events have been taken and are about to be handled, which may take long. Called by the taking thread. */
    void taken() {
    }

    /** {@return how many threads it has of its own} */
    int threads() {
        return 0;
    }

    /** Adds threads, or takes some back. Only for a stage with threads of its own. */
    void setThreads(int count) {
    }

    /** {@return for how many nanoseconds the longest idle of its own threads has been so} */
    long longestIdle(long now) {
        return 0;
    }

    /** {@return for the graph, such as {@code shares a pool}} */
    abstract String description();

    /** There will be nothing to do any more. */
    void end() {
    }

    /** Repeats a run that has failed without memory. Called periodically by the thread of the controllers. */
    void runAgain() {
    }

    /** Interrupts threads that have not returned within the deadline. */
    void interrupt() {
    }

    /**
     * Waits until no thread of its own is left.
     *
     * @param deadline by {@link System#nanoTime()}
     * @return whether none is
     */
    boolean awaitEnd(long deadline) throws InterruptedException {
        return true;
    }
}
