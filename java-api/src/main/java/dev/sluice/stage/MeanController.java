package dev.sluice.stage;

import java.time.Duration;

/**
 * The paper's response time controller (5.1.4, figure 13): if the mean response time of a stage is above the target,
 * the threshold of its queue falls exponentially, and if it is below, it rises by a constant.
 */
public final class MeanController implements StageController {

    /** The target, unless another is given. */
    public static final Duration TARGET = Duration.ofSeconds(5);
    /** After so many requests it decides, unless told otherwise. */
    public static final int REQUESTS = 200;
    /** Above this share of the target the threshold falls, unless told otherwise. */
    public static final double HIGH = 1.1;
    /** Below this share of the target the threshold rises, unless told otherwise. */
    public static final double LOW = 0.9;
    /** The threshold is divided by this, unless told otherwise. */
    public static final double DIVISOR = 2;
    /** This is added to the threshold, unless told otherwise. */
    public static final int INCREMENT = 2;
    /** The least threshold, unless told otherwise. */
    public static final int LEAST = 1;
    /** The largest threshold, with which it begins, unless told otherwise. */
    public static final int MOST = 1024;

    private final double target;
    private int requests = REQUESTS;
    private double high = HIGH;
    private double low = LOW;
    private double divisor = DIVISOR;
    private int increment = INCREMENT;
    private int least = LEAST;
    private int most = MOST;

    private long responses;
    private double sum;
    /** 0 before the first sample. */
    private int threshold;

    /** Makes one with the paper's target. */
    public MeanController() {
        this(TARGET);
    }

    /**
     * Makes one for a target.
     *
     * @param target the mean response time, more than 0
     * @throws IllegalArgumentException if it is not
     */
    public MeanController(Duration target) {
        this.target = Ranges.positive("target", target);
    }

    /**
     * After how many requests to decide.
     *
     * @param count at least 1
     * @return this
     */
    public MeanController requests(int count) {
        requests = Ranges.between("requests", count, 1, Integer.MAX_VALUE);
        return this;
    }

    /**
     * Between which shares of the target nothing changes.
     *
     * @param below from 0 to 1
     * @param above at least 1
     * @return this
     */
    public MeanController shares(double below, double above) {
        low = Ranges.between("low share", below, 0, 1);
        high = Ranges.between("high share", above, 1, Double.MAX_VALUE);
        return this;
    }

    /**
     * How the threshold changes.
     *
     * @param fall it is divided by this, more than 1
     * @param rise this is added to it, at least 1
     * @return this
     */
    public MeanController change(double fall, int rise) {
        divisor = Ranges.above("divisor", fall, 1);
        increment = Ranges.between("increment", rise, 1, EventRing.MOST_PLACES);
        return this;
    }

    /**
     * Between which limits the threshold is kept. The stage has a limit of its own, its capacity.
     *
     * @param fewest at least 1
     * @param many   not fewer
     * @return this
     */
    public MeanController threshold(int fewest, int many) {
        least = Ranges.between("least threshold", fewest, 1, EventRing.MOST_PLACES);
        most = Ranges.between("most threshold", many, fewest, EventRing.MOST_PLACES);
        return this;
    }

    @Override
    public Decision decide(StageSample sample) {
        responses += sample.responses();
        sum += sample.responseSum();
        if (threshold == 0) {
            threshold = most;
            return new Decision.Threshold(threshold);
        }
        if (responses < requests) {
            return Decision.NOTHING;
        }
        double mean = sum / responses;
        responses = 0;
        sum = 0;
        int before = threshold;
        if (mean > high * target) {
            threshold = Math.max(least, (int) (threshold / divisor));
        } else if (mean < low * target) {
            threshold = Math.min(most, threshold + increment);
        }
        return threshold == before ? Decision.NOTHING : new Decision.Threshold(threshold);
    }
}
