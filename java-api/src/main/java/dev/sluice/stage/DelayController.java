package dev.sluice.stage;

import java.time.Duration;

/**
 * Keeps the wait in the queue near a target, by discarding what has waited too long, as controlled delay (CoDel) does:
 * if each event that was taken within an interval has waited longer than the target, the queue does not empty any more,
 * so it is no burst but overload. Until an interval shows the opposite, events that have waited twice the target are
 * discarded, since those who wait for them have probably given up.
 */
public final class DelayController implements StageController {

    /** The target, unless another is given. */
    public static final Duration TARGET = Duration.ofSeconds(5);
    /** How long an interval is, unless told otherwise. */
    public static final Duration INTERVAL = Duration.ofMillis(100);
    /** In overload, events are discarded that have waited for so many targets, unless told otherwise. */
    public static final double LATE = 2;

    private final long target;
    private long interval = INTERVAL.toNanos();
    private double late = LATE;

    private long elapsed;
    private long least = Long.MAX_VALUE;
    private boolean overloaded;

    /** Makes one with the paper's target. */
    public DelayController() {
        this(TARGET);
    }

    /**
     * Makes one for a target.
     *
     * @param target for the wait, more than 0
     * @throws IllegalArgumentException if it is not
     */
    public DelayController(Duration target) {
        this.target = Ranges.positive("target", target);
    }

    /**
     * How long to look before deciding.
     *
     * @param time more than 0; the samples come every 100 ms
     * @return this
     */
    public DelayController interval(Duration time) {
        interval = Ranges.positive("interval", time);
        return this;
    }

    /**
     * What is discarded in overload.
     *
     * @param targets what has waited for so many targets, at least 1
     * @return this
     */
    public DelayController late(double targets) {
        late = Ranges.between("late", targets, 1, Integer.MAX_VALUE);
        return this;
    }

    @Override
    public Decision decide(StageSample sample) {
        elapsed += sample.elapsed();
        least = Math.min(least, sample.leastWait());
        if (elapsed < interval) {
            return Decision.NOTHING;
        }
        // If none was taken, those that are still there tell: the next one has waited longest, and nobody takes it.
        long wait = least == Long.MAX_VALUE ? sample.oldestWait() : least;
        elapsed = 0;
        least = Long.MAX_VALUE;
        boolean before = overloaded;
        overloaded = wait > target;
        if (overloaded == before) {
            return Decision.NOTHING;
        }
        return new Decision.LongestWait(overloaded ? (long) (target * late) : Long.MAX_VALUE);
    }
}
