package dev.sluice.stages;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Keeps the wait in the queue near a target by discarding events that have waited too long, as controlled delay (CoDel)
 * does: if every event taken within an interval has waited longer than the target, the queue no longer drains, which
 * indicates overload and not a burst. Until an interval shows the opposite, events that have waited twice the target
 * are discarded, since the clients that wait for them have probably timed out.
 */
public final class DelayController implements StageController {

    /** Multiple of the target after which events are discarded under overload. */
    public static final double DEFAULT_DROP_AFTER = 2;

    private static final long INTERVAL = TimeUnit.MILLISECONDS.toNanos(100);

    private final long target;
    private long elapsed;
    private long minWait = Long.MAX_VALUE;
    private boolean overloaded;

    /**
     * Creates a controller with the given target.
     *
     * @param target the wait, more than 0
     * @throws IllegalArgumentException if the target is not positive
     */
    public DelayController(Duration target) {
        this.target = Ranges.positive("target", target);
    }

    @Override
    public Decision decide(StageSample sample) {
        elapsed += sample.elapsed();
        minWait = Math.min(minWait, sample.minWait());
        if (elapsed < INTERVAL) {
            return Decision.NOTHING;
        }
        // If no event was taken, the wait of the oldest one in the queue counts, as no thread takes it.
        long wait = minWait == Long.MAX_VALUE ? sample.oldestWait() : minWait;
        elapsed = 0;
        minWait = Long.MAX_VALUE;
        boolean before = overloaded;
        overloaded = wait > target;
        if (overloaded == before) {
            return Decision.NOTHING;
        }
        return new Decision.LongestWait(overloaded ? (long) (target * DEFAULT_DROP_AFTER) : Long.MAX_VALUE);
    }
}
