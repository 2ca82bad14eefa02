package dev.sluice.samples.gnutella;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** How long the router takes for messages of one type, without their wait in the queue. For any thread. */
final class ServiceTimes {

    private static final double NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private final LongAdder count = new LongAdder();
    private final LongAdder sum = new LongAdder();

    void add(long nanos) {
        // Before the count, so that a mean includes all times that were counted when it is read.
        sum.add(nanos);
        count.increment();
    }

    long count() {
        return count.sum();
    }

    /** {@return the mean, in milliseconds; 0 if there was none} */
    double mean() {
        return sum.sum() / NANOS_PER_MILLI / Math.max(1, count.sum());
    }

    /** {@return for example {@code 12 of 0.034 ms}} */
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%d of %.3f ms", count(), mean());
    }
}
