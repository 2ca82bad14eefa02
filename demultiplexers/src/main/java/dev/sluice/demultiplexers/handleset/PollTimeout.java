package dev.sluice.demultiplexers.handleset;

/** The timeout of {@code poll} and {@code epoll_wait}: milliseconds, -1 for ever. */
public final class PollTimeout {

    private static final long NANOS_PER_MILLI = 1_000_000;

    private PollTimeout() {
    }

    /**
     * Converts, rounded up: a wait that ends early would find its timers not due yet, and spin.
     *
     * @param nanos in nanoseconds, negative for ever
     * @return in milliseconds; the longest there is, if it is longer
     */
    public static int millis(long nanos) {
        if (nanos < 0) {
            return -1;
        }
        long millis = nanos / NANOS_PER_MILLI + (nanos % NANOS_PER_MILLI == 0 ? 0 : 1);
        return (int) Math.min(millis, Integer.MAX_VALUE);
    }
}
