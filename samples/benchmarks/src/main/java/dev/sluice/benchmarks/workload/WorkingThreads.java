package dev.sluice.benchmarks.workload;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Threads that are started before a measurement, begin together, and repeat their work until the deadline is over. */
public final class WorkingThreads {

    /** Which threads there are. */
    public enum Kind {
        /** One, which performs all operations one after the other. */
        ONE,
        /** A platform thread for each. */
        PLATFORM,
        /** A virtual thread for each. */
        VIRTUAL
    }

    /** One operation. */
    @FunctionalInterface
    public interface Operation {
        /** Performs it once. */
        void perform() throws IOException;
    }

    private final Kind kind;
    private final Deadline deadline;
    private final List<FutureTask<Void>> tasks = new ArrayList<>();
    private CountDownLatch begin = new CountDownLatch(1);

    /**
     * Creates an object without threads.
     *
     * @param kind     of the threads
     * @param deadline ends their work
     */
    public WorkingThreads(Kind kind, Deadline deadline) {
        this.kind = kind;
        this.deadline = deadline;
    }

    /** Starts a thread, which waits for {@link #run}. */
    public void start(Operation operation) {
        CountDownLatch beginning = begin;
        FutureTask<Void> task = new FutureTask<>(() -> {
            beginning.await();
            repeat(operation);
            return null;
        });
        tasks.add(task);
        if (kind == Kind.VIRTUAL) {
            Thread.startVirtualThread(task);
        } else {
            new Thread(task).start();
        }
    }

    private void repeat(Operation operation) throws IOException {
        try {
            while (!deadline.isOver()) {
                operation.perform();
            }
        } catch (IOException | RuntimeException | Error e) {
            deadline.fail();
            throw e;
        }
    }

    /** Lets all threads begin, and waits for their end; after that others may be started. */
    public void run() throws IOException, InterruptedException {
        begin.countDown();
        try {
            for (FutureTask<Void> task : tasks) {
                task.get();
            }
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        }
        tasks.clear();
        begin = new CountDownLatch(1);
    }
}
