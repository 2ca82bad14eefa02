package dev.sluice.stages;

import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A fixed number of threads that several stages share: the paper's footnote 2. A thread serves the stage with the
 * highest priority that has events, such as a stage that frees resources (section 6), and among equals the one that was
 * served longest ago. Every sixteenth time it serves the stage that was served longest ago regardless of priority, so
 * that none starves.
 *
 * <p>The threads start when the first stage does. The caller closes the pool after the graphs have been stopped. May be
 * used by any thread.
 */
public final class StagePool implements StageThreads, AutoCloseable {

    /** Interval, in batches, at which the stage that was served longest ago is chosen regardless of priority. */
    private static final int FAIRNESS_INTERVAL = 16;

    private final String name;
    private final int threads;
    final WorkerThreads workers;
    private final AtomicLong quanta = new AtomicLong();
    private final Object membership = new Object();
    /** Replaced under the lock. */
    private volatile PoolShare[] shares = {};
    private boolean started;
    private boolean closed;

    /**
     * Creates a pool of platform threads that are daemons.
     *
     * @param name the name, from which the names of its threads are made
     * @param threads the number of threads, at least 1
     * @throws IllegalArgumentException if the number is less than 1
     */
    public StagePool(String name, int threads) {
        this(name, threads, new StageThreadFactory(name));
    }

    /**
     * Creates a pool.
     *
     * @param name the name, for messages
     * @param threads the number of threads, at least 1
     * @param factory creates the threads
     * @throws IllegalArgumentException if the number is less than 1
     */
    public StagePool(String name, int threads, ThreadFactory factory) {
        this.name = Objects.requireNonNull(name, "name");
        this.threads = Ranges.between("threads", threads, 1, Integer.MAX_VALUE);
        workers = new WorkerThreads(new SharedWork(), Objects.requireNonNull(factory, "factory"));
    }

    /** {@return the number of its threads} */
    public int threads() {
        return threads;
    }

    @Override
    public Execution execution(Stage<?> stage) {
        return new PoolShare(stage, this);
    }

    /** Adds a stage that has been started. */
    void add(PoolShare share) {
        synchronized (membership) {
            if (closed) {
                throw new IllegalStateException(this + " is closed");
            }
            PoolShare[] more = Arrays.copyOf(shares, shares.length + 1);
            more[shares.length] = share;
            shares = more;
            while (!started && workers.size() < threads) {
                workers.add();
            }
            started = true;
        }
        workers.wakeOne();
    }

    void remove(PoolShare share) {
        synchronized (membership) {
            shares = Arrays.stream(shares).filter(other -> other != share).toArray(PoolShare[]::new);
        }
    }

    /** Ends the threads once they have handled the events that they have taken, and waits for at most five seconds. */
    @Override
    public void close() {
        synchronized (membership) {
            closed = true;
        }
        workers.end();
        try {
            workers.awaitEnd(System.nanoTime() + Duration.ofSeconds(5).toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** {@return its name} */
    @Override
    public String toString() {
        return name;
    }

    /** The work of its threads. */
    private final class SharedWork implements WorkerThreads.Work {

        @Override
        public boolean perform() {
            boolean byPriority = (quanta.get() + 1) % FAIRNESS_INTERVAL != 0;
            PoolShare next = null;
            for (PoolShare share : shares) {
                if (share.isReady() && (next == null || share.isBefore(next, byPriority))) {
                    next = share;
                }
            }
            if (next == null) {
                return false;
            }
            next.runQuantum(quanta.incrementAndGet(), threads);
            // Even if another thread has taken the events: other stages may have some.
            return true;
        }

        @Override
        public boolean hasWork() {
            for (PoolShare share : shares) {
                if (share.isReady()) {
                    return true;
                }
            }
            return false;
        }
    }
}
