package dev.sluice.stages;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** Rows of samples for controllers, which need neither a stage nor a clock. */
final class Samples {

    static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private Samples() {
    }

    /** {@return what a thread pool controller sees after 2 seconds} */
    static StageSample ofPool(int length, long oldestWait, int threads, long longestIdle, long handled) {
        return new StageSample(2 * SECOND, length, oldestWait, Long.MAX_VALUE, threads, longestIdle, handled, 0, 0,
                new long[0]);
    }

    /** {@return what a batching controller sees after a second} */
    static StageSample ofOutput(long handled) {
        return new StageSample(SECOND, 0, 0, Long.MAX_VALUE, 1, 0, handled, 0, 0, new long[0]);
    }

    /** {@return so many responses of the same time, after 100 ms} */
    static StageSample ofResponses(int count, long nanos) {
        long[] latest = new long[Math.min(count, ResponseTimes.CAPACITY)];
        Arrays.fill(latest, nanos);
        return new StageSample(100 * MILLI, 0, 0, Long.MAX_VALUE, 1, 0, count, count, count * nanos, latest);
    }

    /** {@return what a delay controller sees after 100 ms} */
    static StageSample ofWait(long minWait, long oldestWait) {
        return new StageSample(100 * MILLI, 1, oldestWait, minWait, 1, 0, 1, 0, 0, new long[0]);
    }
}
