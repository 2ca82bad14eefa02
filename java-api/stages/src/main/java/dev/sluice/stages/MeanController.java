package dev.sluice.stages;

import java.time.Duration;

/**
 * The paper's response time controller (5.1.4, figure 13): if the mean response time of a stage is above the target,
 * the threshold of its queue is divided, and if it is below, a constant is added to it.
 */
public final class MeanController implements StageController {

    /** Default minimum threshold. */
    public static final int DEFAULT_MIN = 1;
    /** Default maximum threshold, which is also the initial one. */
    public static final int DEFAULT_MAX = 1024;

    /** Number of requests after which it decides. */
    private static final int REQUESTS = 200;
    /** Share of the target above which the threshold falls. */
    private static final double HIGH = 1.1;
    /** Share of the target below which the threshold rises. */
    private static final double LOW = 0.9;
    /** The threshold is divided by this. */
    private static final int DIVISOR = 2;
    /** This is added to the threshold. */
    private static final int INCREMENT = 2;

    private final double target;
    private int minThreshold = DEFAULT_MIN;
    private int maxThreshold = DEFAULT_MAX;

    private long responses;
    private double sum;
    /** 0 before the first sample. */
    private int threshold;

    /**
     * Creates a controller with the given target.
     *
     * @param target the mean response time, more than 0
     * @throws IllegalArgumentException if the target is not positive
     */
    public MeanController(Duration target) {
        this.target = Ranges.positive("target", target);
    }

    /**
     * Sets the range of the threshold. The stage's capacity limits it as well.
     *
     * @param minimum at least 1
     * @param maximum at least the minimum
     * @return this
     */
    public MeanController threshold(int minimum, int maximum) {
        minThreshold = Ranges.between("minimum threshold", minimum, 1, EventRing.MAX_CAPACITY);
        maxThreshold = Ranges.between("maximum threshold", maximum, minimum, EventRing.MAX_CAPACITY);
        return this;
    }

    @Override
    public Decision decide(StageSample sample) {
        responses += sample.responses();
        sum += sample.responseSum();
        if (threshold == 0) {
            threshold = maxThreshold;
            return new Decision.Threshold(threshold);
        }
        if (responses < REQUESTS) {
            return Decision.NOTHING;
        }
        double mean = sum / responses;
        responses = 0;
        sum = 0;
        int before = threshold;
        if (mean > HIGH * target) {
            threshold = Math.max(minThreshold, threshold / DIVISOR);
        } else if (mean < LOW * target) {
            threshold = Math.min(maxThreshold, threshold + INCREMENT);
        }
        return threshold == before ? Decision.NOTHING : new Decision.Threshold(threshold);
    }
}
