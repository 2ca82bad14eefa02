package dev.sluice.calls;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The maximum number of bytes of native memory that all bindings together may allocate. An allocation beyond that is
 * refused immediately. The JDK's own limit ({@code -XX:MaxDirectMemorySize}) is not used, because it makes an
 * allocation sleep for half a second before it is refused, and event loops allocate.
 *
 * <p>Some memory is freed only when the garbage collector finds its buffer unreachable. If such memory has grown by a
 * quarter of the budget since the last collection, and more than half of the budget is in use, or if it takes up a
 * quarter and an allocation is refused, the collector is run in a thread of its own, at most once a second. May be used
 * by any thread.
 */
public final class MemoryBudget {

    /**
     * System property with the maximum number of bytes of native memory in use at a time. The default is the maximum
     * size of the heap, {@link Runtime#maxMemory()}, as for the JDK's direct buffers.
     */
    public static final String PROPERTY = "sluice.memory.most";

    /** The budget of the process. */
    public static final MemoryBudget CURRENT = new MemoryBudget(configured());

    private static final long BETWEEN_COLLECTIONS_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final long max;
    private final AtomicLong used = new AtomicLong();
    private final AtomicLong leftToCollector = new AtomicLong();
    private final AtomicBoolean collecting = new AtomicBoolean();
    private final long pauseNanos;
    private final Runnable collection;
    private volatile long latestCollection;
    /** The minimum of collectable memory in use since the last collection: memory that the collector could not free. */
    private volatile long kept;

    private MemoryBudget(long max) {
        this(max, BETWEEN_COLLECTIONS_NANOS, System::gc);
    }

    /**
     * Creates a budget.
     *
     * @param max        the maximum number of bytes
     * @param pauseNanos the minimum time between two collections
     * @param collection runs the garbage collector
     */
    MemoryBudget(long max, long pauseNanos, Runnable collection) {
        this.max = max;
        this.pauseNanos = pauseNanos;
        this.collection = collection;
        this.latestCollection = System.nanoTime() - pauseNanos;
        // Links its calls while there is memory for that: a release that fails between two of them is repeated, and
        // would return its part twice.
        release(0, true);
    }

    private static long configured() {
        String text = System.getProperty(PROPERTY);
        if (text == null) {
            return Runtime.getRuntime().maxMemory();
        }
        try {
            long max = Long.parseLong(text.strip());
            if (max > 0) {
                return max;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("-D" + PROPERTY + "=" + text + ": not a number of bytes", e);
        }
        throw new IllegalArgumentException("-D" + PROPERTY + "=" + text + ": not a number of bytes");
    }

    /**
     * Takes a part of the budget. Does not block.
     *
     * @param bytes     the number of bytes that will be allocated
     * @param collected whether the garbage collector frees the memory
     * @throws OutOfMemoryError if fewer bytes are left
     */
    public void take(long bytes, boolean collected) {
        // Without this, a thread whose stack is full could take a part, and fail to count it or to return it.
        leftToCollector.addAndGet(0);
        long before = used.get();
        while (bytes <= max - before && !used.compareAndSet(before, before + bytes)) {
            before = used.get();
        }
        boolean refused = bytes > max - before;
        if (refused || before > max / 2) {
            // Memory that the last collection has not freed is in use; another collection would not free it either.
            try {
                collectGarbage(refused ? 0 : kept);
            } catch (StackOverflowError e) {
                // The part has been taken, and the caller does not know it yet. A later allocation tries again.
            }
        }
        if (refused) {
            throw new OutOfMemoryError("cannot allocate " + bytes + " bytes of native memory: " + before
                    + " are in use, of " + max + " that -D" + PROPERTY + " or else the size of the heap allows");
        }
        if (collected) {
            leftToCollector.addAndGet(bytes);
        }
    }

    /**
     * Returns a part of the budget.
     *
     * @param bytes     the number of bytes that was taken
     * @param collected as for {@link #take}
     */
    public void release(long bytes, boolean collected) {
        used.addAndGet(-bytes);
        if (collected) {
            kept = Math.min(kept, leftToCollector.addAndGet(-bytes));
        }
    }

    /** {@return the maximum number of bytes} */
    public long max() {
        return max;
    }

    /** {@return the number of bytes in use} */
    public long used() {
        return used.get();
    }

    /** {@return whether the collector is running} */
    boolean isCollecting() {
        return collecting.get();
    }

    private void collectGarbage(long inUse) {
        if (leftToCollector.get() - inUse < max / 4
                || System.nanoTime() - latestCollection < pauseNanos
                || !collecting.compareAndSet(false, true)) {
            return;
        }
        try {
            Thread collector = new Thread(this::collect, "sluice garbage collection");
            collector.setDaemon(true);
            collector.start();
        } catch (OutOfMemoryError | StackOverflowError e) {
            // The system refuses a thread, or the caller's stack is full: a later allocation tries again.
            collecting.set(false);
        }
    }

    private void collect() {
        try {
            collection.run();
        } finally {
            kept = leftToCollector.get();
            latestCollection = System.nanoTime();
            collecting.set(false);
        }
    }
}
