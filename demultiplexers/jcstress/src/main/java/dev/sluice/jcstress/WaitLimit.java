package dev.sluice.jcstress;

import java.util.concurrent.TimeUnit;

/**
 * How long a wait lasts at most that another thread has to end. Once one has lasted so long the test has failed; the
 * limit is short from then on, or a test that fails each time would take days to say so.
 */
public final class WaitLimit {

    private static final long WHOLE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long SHORT_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    private static volatile long nanos = WHOLE_NANOS;

    private WaitLimit() {
    }

    public static long nanos() {
        return nanos;
    }

    public static void reached() {
        nanos = SHORT_NANOS;
    }
}
