package dev.sluice.stages;

/** Decides which threads run a stage by calling {@link BatchHandling#run}. Notified of new events by {@link #run}. */
abstract class Execution implements Runnable {

    /** Called by any thread when events have been added, or the stage has been started. Takes no lock. */
    @Override
    public abstract void run();

    /** Starts the stage. Events may have been added before. */
    abstract void start();

    /** Called by a thread that has taken events and is about to handle them, which may take long. */
    void taken() {
    }

    /** {@return the number of threads of its own} */
    int threads() {
        return 0;
    }

    /** Adds or removes threads. Only for a stage with threads of its own. */
    void setThreads(int count) {
    }

    /** {@return the time in nanoseconds for which the longest idle of its own threads has been idle} */
    long longestIdle(long now) {
        return 0;
    }

    /** {@return a description for display, such as {@code shares a pool}} */
    abstract String description();

    /** Called when there will be no more events. */
    void end() {
    }

    /** Repeats a run that has failed for lack of memory. Called periodically by the thread of the controllers. */
    void runAgain() {
    }

    /** Interrupts threads that have not returned within the deadline. */
    void interrupt() {
    }

    /**
     * Waits until all threads of its own have ended.
     *
     * @param deadline by {@link System#nanoTime()}
     * @return true if they have
     */
    boolean awaitEnd(long deadline) throws InterruptedException {
        return true;
    }
}
