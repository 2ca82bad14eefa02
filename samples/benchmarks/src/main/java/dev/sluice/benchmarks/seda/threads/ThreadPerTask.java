package dev.sluice.benchmarks.seda.threads;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** A thread for each task, made before: it sleeps until its task is handed over. */
final class ThreadPerTask implements TaskServer {

    private final List<Worker> workers = new ArrayList<>();
    private volatile boolean ended;

    /**
     * Starts the threads.
     *
     * @param tasks   one for each
     * @param builder makes the threads
     * @throws IOException if the system does not let there be so many
     */
    ThreadPerTask(List<ReadTask> tasks, Thread.Builder builder) throws IOException {
        try {
            for (ReadTask task : tasks) {
                Worker worker = new Worker(task);
                worker.thread = builder.unstarted(worker);
                worker.thread.start();
                workers.add(worker);
            }
        } catch (OutOfMemoryError e) {
            close();
            throw new IOException("there cannot be " + tasks.size() + " threads, only " + workers.size() + ": " + e, e);
        }
    }

    @Override
    public void handOver(int number) {
        Worker worker = workers.get(number);
        worker.isReady = true;
        LockSupport.unpark(worker.thread);
    }

    @Override
    public void close() throws IOException {
        ended = true;
        workers.forEach(worker -> LockSupport.unpark(worker.thread));
        try {
            for (Worker worker : workers) {
                worker.thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while threads were ending", e);
        }
    }

    /** What a thread runs. */
    private final class Worker implements Runnable {

        private final ReadTask task;
        private Thread thread;
        private volatile boolean isReady;

        Worker(ReadTask task) {
            this.task = task;
        }

        @Override
        public void run() {
            while (!ended) {
                if (isReady) {
                    isReady = false;
                    task.perform();
                } else {
                    LockSupport.park(this);
                }
            }
        }
    }
}
