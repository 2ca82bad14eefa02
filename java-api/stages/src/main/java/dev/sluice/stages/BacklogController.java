package dev.sluice.stages;

import java.time.Duration;

/**
 * Keeps the response time of a stage below a target by the length of its queue. By Little's law an event that finds n
 * others before it waits for n divided by the stage's capacity, so the threshold of the queue is a share of the target
 * multiplied by the capacity. The capacity is the number of events that the stage handles per second while its queue is
 * not empty. It is measured over a span of time and not over a number of requests, so it is known soon, however slow
 * these are.
 *
 * <p>An event that has nevertheless waited for {@link #DEFAULT_DROP_AFTER} times the target is discarded: it was
 * enqueued before the capacity was known, or the capacity has fallen since.
 */
public final class BacklogController implements StageController {

    /** Multiple of the target after which an event that still waits is discarded. */
    public static final double DEFAULT_DROP_AFTER = 1.25;

    /** Share of the target that may be spent in the queue; the rest is for the handling itself. */
    private static final double SHARE = 0.8;
    /** Share of the target that is spent on each measurement of the capacity. */
    private static final double SPAN = 0.1;
    /** Weight of the previous capacity when a new one has been measured. */
    private static final double OLD_WEIGHT = 0.5;
    /** Minimum threshold. */
    private static final int MIN_THRESHOLD = 1;
    private static final double NANOS_PER_SECOND = 1e9;

    private final long target;
    private boolean discardsLate;
    private boolean wasEmpty = true;
    private long busy;
    private long handled;
    /** In events per second; {@code NaN} before the first measurement. */
    private double capacity = Double.NaN;
    /** 0 before the first measurement. */
    private int threshold;

    /**
     * Creates a controller with the given target.
     *
     * @param target maximum response time, more than 0
     * @throws IllegalArgumentException if the target is not positive
     */
    public BacklogController(Duration target) {
        this.target = Ranges.positive("target", target);
    }

    @Override
    public Decision decide(StageSample sample) {
        if (sample.queueLength() > 0 && !wasEmpty) {
            busy += sample.elapsed();
            handled += sample.handled();
        } else {
            // The stage was not fully loaded, so this says nothing about its capacity.
            busy = 0;
            handled = 0;
        }
        wasEmpty = sample.queueLength() == 0;
        if (!discardsLate) {
            discardsLate = true;
            return new Decision.LongestWait((long) (target * DEFAULT_DROP_AFTER));
        }
        // A span in which nothing was handled is extended up to the target: one long request is not an outage.
        if (busy < SPAN * target || busy == 0 || handled == 0 && busy < target) {
            return Decision.NOTHING;
        }
        double measured = handled * NANOS_PER_SECOND / busy;
        capacity = Double.isNaN(capacity) ? measured : OLD_WEIGHT * capacity + (1 - OLD_WEIGHT) * measured;
        busy = 0;
        handled = 0;
        int before = threshold;
        double length = capacity * SHARE * target / NANOS_PER_SECOND;
        threshold = (int) Math.max(MIN_THRESHOLD, Math.min(EventRing.MAX_CAPACITY, length));
        return threshold == before ? Decision.NOTHING : new Decision.Threshold(threshold);
    }
}
