package dev.sluice.stages;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Admits events at a rate, and bursts up to a limit. Tokens are added at the rate, up to the burst, and each event
 * takes one. The rate may be changed at any time; {@link PercentileController} does so.
 *
 * @param <E> the type of the events
 */
public final class TokenBucket<E> implements Admission<E> {

    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    /** Maximum time, which can be added to the clock without an overflow. */
    private static final double LONGEST = (double) (Long.MAX_VALUE / 4);

    private final LongSupplier clock;
    private final int burst;
    private volatile long nanosPerToken;
    /** The time at which the bucket will be full again if no tokens are taken. */
    private final AtomicLong full;

    /**
     * Creates a full bucket.
     *
     * @param rate  events per second, more than 0
     * @param burst the maximum number of tokens, at least 1
     * @throws IllegalArgumentException if one of them is out of range
     */
    public TokenBucket(double rate, int burst) {
        this(rate, burst, System::nanoTime);
    }

    TokenBucket(double rate, int burst, LongSupplier clock) {
        this.burst = Ranges.between("burst", burst, 1, Integer.MAX_VALUE);
        this.clock = clock;
        nanosPerToken = nanosPerToken(rate);
        full = new AtomicLong(clock.getAsLong());
    }

    private static long nanosPerToken(double rate) {
        double nanos = NANOS_PER_SECOND / Ranges.positive("rate", rate);
        // At most a day.
        return (long) Math.min(Math.max(1, nanos), (double) TimeUnit.DAYS.toNanos(1));
    }

    /** {@return the rate, in events per second} */
    public double rate() {
        return NANOS_PER_SECOND / nanosPerToken;
    }

    /**
     * Changes the rate from now on; available tokens remain.
     *
     * @param rate events per second, more than 0
     * @throws IllegalArgumentException if the rate is not positive
     */
    public void setRate(double rate) {
        long before = nanosPerToken;
        long after = nanosPerToken(rate);
        long now = clock.getAsLong();
        nanosPerToken = after;
        full.updateAndGet(at -> at - now <= 0 ? at : now + (long) ((double) (at - now) / before * after));
    }

    /** {@return the maximum number of tokens} */
    public int burst() {
        return burst;
    }

    @Override
    public boolean admit(E event, int length) {
        return take(0);
    }

    /** {@return whether there was a token besides those that are reserved, and it was taken} */
    boolean take(int reserved) {
        while (true) {
            long now = clock.getAsLong();
            long perToken = nanosPerToken;
            long at = full.get();
            long then = (at - now < 0 ? now : at) + perToken;
            if (then - now > Math.min((double) (burst - reserved) * perToken, LONGEST)) {
                return false;
            }
            if (full.compareAndSet(at, then)) {
                return true;
            }
        }
    }

    @Override
    public void undo(E event) {
        full.addAndGet(-nanosPerToken);
    }
}
