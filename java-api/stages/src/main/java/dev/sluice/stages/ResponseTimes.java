package dev.sluice.stages;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The times that events took from the queue to the end of their handling, in nanoseconds: all of them added up, and the
 * latest ones. Events that have failed or were discarded have none. For any thread; looking takes no lock.
 */
public final class ResponseTimes {

    /** So many are kept, a power of two. */
    public static final int KEPT = 1024;

    private final AtomicLongArray latest = new AtomicLongArray(KEPT);
    private final AtomicLong count = new AtomicLong();
    private final AtomicLong sum = new AtomicLong();

    ResponseTimes() {
    }

    /** Adds one, in nanoseconds. Called by any thread. */
    void add(long nanos) {
        latest.setOpaque((int) count.getAndIncrement() & KEPT - 1, nanos);
        sum.addAndGet(nanos);
    }

    /** {@return how many have been taken} */
    public long count() {
        return count.get();
    }

    /** {@return all of them added up} */
    public long sum() {
        return sum.get();
    }

    /**
     * Returns the latest ones. If a thread adds one at the same time, some of them may be older ones.
     *
     * @param since the count at some time before
     * @param until the count later
     * @return those in between, the last {@link #KEPT} of them at most; none if there are none in between
     */
    public long[] latest(long since, long until) {
        int number = (int) Math.max(0, Math.min(KEPT, until - since));
        long[] times = new long[number];
        Arrays.setAll(times, i -> latest.getOpaque((int) (until - number + i) & KEPT - 1));
        return times;
    }
}
