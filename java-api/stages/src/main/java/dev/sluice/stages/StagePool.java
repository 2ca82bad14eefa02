package dev.sluice.stages;

import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A fixed number of threads that several stages share: the paper's footnote 2. A thread first serves the stages of the
 * highest priority that have events, such as those that free resources (section 6), and among equals the one that was
 * served longest ago. Every sixteenth time it serves the stage that was served longest ago whatever its priority, so
 * that none starves.
 *
 * <p>The threads start with the first stage. The caller closes the pool after the graphs have been stopped.
 * May be used by any thread.
 */
public final class StagePool implements AutoCloseable {

    /** Interval, in batches, at which the stage that was served longest ago is chosen whatever its priority. */
    private static final int FAIRNESS_INTERVAL = 16;

    private final String name;
    private final int threads;
    final WorkerThreads crew;
    private final AtomicLong quanta = new AtomicLong();
    private final Object membership = new Object();
    /** Replaced under the lock. */
    private volatile PoolShare[] shares = {};
    private boolean started;
    private boolean closed;

    /**
     * Makes a pool of platform threads, which are daemons.
     *
     * @param name    for its threads
     * @param threads the number of threads, at least 1
     * @throws IllegalArgumentException if there are none
     */
    public StagePool(String name, int threads) {
        this(name, threads, new StageThreadFactory(name));
    }

    /**
     * Makes a pool.
     *
     * @param name    for messages
     * @param threads the number of threads, at least 1
     * @param factory makes them
     * @throws IllegalArgumentException if there are none
     */
    public StagePool(String name, int threads, ThreadFactory factory) {
        this.name = Objects.requireNonNull(name, "name");
        this.threads = Ranges.between("threads", threads, 1, Integer.MAX_VALUE);
        crew = new WorkerThreads(new SharedWork(), Objects.requireNonNull(factory, "factory"));
    }

    /** {@return the number of its threads} */
    public int threads() {
        return threads;
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
            while (!started && crew.size() < threads) {
                crew.add();
            }
            started = true;
        }
        crew.wakeOne();
    }

    void remove(PoolShare share) {
        synchronized (membership) {
            shares = Arrays.stream(shares).filter(other -> other != share).toArray(PoolShare[]::new);
        }
    }

    /** Ends the threads once they have handled what they have taken, and waits for that for at most five seconds. */
    @Override
    public void close() {
        synchronized (membership) {
            closed = true;
        }
        crew.end();
        try {
            crew.awaitEnd(System.nanoTime() + Duration.ofSeconds(5).toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** {@return its name} */
    @Override
    public String toString() {
        return name;
    }

    /** What its threads do. */
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
            // Even if another thread was faster: other stages may have events.
            return true;
        }

        @Override
        public boolean isThere() {
            for (PoolShare share : shares) {
                if (share.isReady()) {
                    return true;
                }
            }
            return false;
        }
    }
}
