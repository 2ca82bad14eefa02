package dev.sluice.stages;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The times from the enqueue of an event to the end of its handling, in nanoseconds: their sum, and the latest ones.
 * Events that have failed or were discarded have none. May be used by any thread; reading takes no lock.
 */
public final class ResponseTimes {

    /** Number of times that are kept, a power of two. */
    public static final int CAPACITY = 1024;

    private final AtomicLongArray latest = new AtomicLongArray(CAPACITY);
    private final AtomicLong count = new AtomicLong();
    private final AtomicLong sum = new AtomicLong();

    ResponseTimes() {
    }

    /** Adds a time, in nanoseconds. Called by any thread. */
    void add(long nanos) {
        latest.setOpaque((int) count.getAndIncrement() & CAPACITY - 1, nanos);
        sum.addAndGet(nanos);
    }

    /** {@return the number of times recorded so far} */
    public long count() {
        return count.get();
    }

    /** {@return the sum of all times, in nanoseconds} */
    public long sum() {
        return sum.get();
    }

    /**
     * Returns the latest times. If another thread adds one concurrently, some of them may be older ones.
     *
     * @param since an earlier count
     * @param until a later count
     * @return the times recorded between the two counts, at most the last {@link #CAPACITY} of them
     */
    public long[] latest(long since, long until) {
        int number = (int) Math.max(0, Math.min(CAPACITY, until - since));
        long[] times = new long[number];
        Arrays.setAll(times, i -> latest.getOpaque((int) (until - number + i) & CAPACITY - 1));
        return times;
    }
}
