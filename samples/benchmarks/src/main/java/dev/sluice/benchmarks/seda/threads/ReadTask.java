package dev.sluice.benchmarks.seda.threads;

/** One of the tasks, which is handed over to be done again and again. */
final class ReadTask {

    private final Round round;
    private final CachedFile file;
    private long handedOver;
    private long responseTime;

    /**
     * Creates a task.
     *
     * @param round is notified when the task is done
     * @param file  to read
     */
    ReadTask(Round round, CachedFile file) {
        this.round = round;
        this.file = file;
    }

    /** It is handed over now. */
    void handOver() {
        handedOver = System.nanoTime();
    }

    /** Reads the file, on the calling thread. */
    void perform() {
        try {
            file.read();
            responseTime = System.nanoTime() - handedOver;
            round.done();
        } catch (Throwable e) {
            round.fail(e);
        }
    }

    /** {@return the nanoseconds from the hand-over until it was done; for a thread that has awaited the round} */
    long responseTime() {
        return responseTime;
    }
}
