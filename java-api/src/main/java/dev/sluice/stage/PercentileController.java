package dev.sluice.stage;

import java.time.Duration;
import java.util.Arrays;

/**
 * Keeps a percentile of the response time below a target, by the rate of a token bucket before the stage: what the
 * paper's authors built after it. Above the target the rate is divided, well below it a little is added; in between it
 * stays. The percentile is that of the last requests, smoothed. A stage with this controller gets a bucket of its own.
 *
 * <p>Response times come late: they are of what was admitted long before. So while the queue is never empty, this
 * controller looks at what is served as well. A rate far above that falls to it at once. While a backlog is served that
 * was admitted at an older rate, the new one does not fall to nothing; but as long as the backlog alone takes more time
 * than the target, only the least rate is admitted, since whoever comes would wait in vain. And if the queue grows and
 * it will take too long to serve it, no more is admitted than is served, even if those that have been served were fast.
 */
public final class PercentileController implements StageController {

    /** The target, unless another is given. */
    public static final Duration TARGET = Duration.ofSeconds(5);
    /** Which percentile, unless told otherwise. */
    public static final double PERCENTILE = 90;
    /** After so many requests it decides, unless told otherwise. */
    public static final int REQUESTS = 100;
    /** After this time it decides, even if there were fewer requests, unless told otherwise. */
    public static final Duration LONGEST = Duration.ofSeconds(1);
    /** The weight of the old percentile, unless told otherwise. */
    public static final double OLD_WEIGHT = 0.7;
    /** Below this share of the target the rate rises, unless told otherwise. */
    public static final double LOW = 0.5;
    /** The rate is divided by this, unless told otherwise. */
    public static final double DIVISOR = 1.2;
    /** So many events per second are added to the rate, unless told otherwise. */
    public static final double INCREMENT = 2;
    /** Or this share of the rate, if that is more, unless told otherwise. */
    public static final double INCREMENT_SHARE = 0.05;
    /** To this share of what is served the rate may fall while there is a backlog, unless told otherwise. */
    public static final double LEAST_SHARE = 0.25;
    /** The least rate, in events per second, unless told otherwise. */
    public static final double LEAST = 0.05;
    /** The largest rate, in events per second, with which it begins, unless told otherwise. */
    public static final double MOST = 5000;
    /** The burst of the bucket, unless told otherwise. */
    public static final int BURST = 100;

    private static final double NANOS_PER_SECOND = 1e9;

    private final double target;
    private double percentile = PERCENTILE;
    private int requests = REQUESTS;
    private long longest = LONGEST.toNanos();
    private double oldWeight = OLD_WEIGHT;
    private double low = LOW;
    private double divisor = DIVISOR;
    private double increment = INCREMENT;
    private double incrementShare = INCREMENT_SHARE;
    private double leastShare = LEAST_SHARE;
    private double least = LEAST;
    private double most = MOST;
    private int burst = BURST;

    private final long[] latest = new long[ResponseTimes.KEPT];
    private int count;
    private long elapsed;
    private long responses;
    private double smoothed = Double.NaN;
    /** Of the queue, at the last decision. */
    private int lengthBefore;
    /** The least length of the queue since then. */
    private int leastLength;
    /** 0 before the first decision. */
    private double rate;
    /** That rate, or the least one while all that come would be late. */
    private double admitted;

    /** Makes one with the paper's target. */
    public PercentileController() {
        this(TARGET);
    }

    /**
     * Makes one for a target.
     *
     * @param target for the percentile of the response times, more than 0
     * @throws IllegalArgumentException if it is not
     */
    public PercentileController(Duration target) {
        this.target = Ranges.positive("target", target);
    }

    /**
     * Which percentile to look at.
     *
     * @param value from 0 to 100
     * @return this
     */
    public PercentileController percentile(double value) {
        percentile = Ranges.between("percentile", value, 0, 100);
        return this;
    }

    /**
     * When to decide.
     *
     * @param number after so many requests, from 1 to 1024
     * @param time   or after this time if there was at least one; more than 0
     * @return this
     */
    public PercentileController window(int number, Duration time) {
        requests = Ranges.between("requests", number, 1, ResponseTimes.KEPT);
        longest = Ranges.positive("time", time);
        return this;
    }

    /**
     * How slowly it follows.
     *
     * @param weight of the old percentile, from 0 to 1
     * @return this
     */
    public PercentileController oldWeight(double weight) {
        oldWeight = Ranges.between("weight", weight, 0, 1);
        return this;
    }

    /**
     * How the rate changes.
     *
     * @param fall  above the target it is divided by this, more than 1
     * @param rise  so many events per second are added to it, more than 0
     * @param below if the percentile is below this share of the target, from 0 to 1
     * @return this
     */
    public PercentileController change(double fall, double rise, double below) {
        divisor = Ranges.above("divisor", fall, 1);
        increment = Ranges.above("increment", rise, 0);
        low = Ranges.between("low share", below, 0, 1);
        return this;
    }

    /**
     * How fast the rate changes if it is high.
     *
     * @param rise   this share of it is added, if that is more than what is added anyway; from 0 to 1
     * @param lowest it does not fall below this share of what is served as long as there is a backlog, from 0 to 1
     * @return this
     */
    public PercentileController shares(double rise, double lowest) {
        incrementShare = Ranges.between("rise", rise, 0, 1);
        leastShare = Ranges.between("lowest share", lowest, 0, 1);
        return this;
    }

    /**
     * Between which limits the rate is kept, in events per second, and how many may come at once.
     *
     * @param lowest  more than 0
     * @param highest not less
     * @param atOnce  at least 1
     * @return this
     */
    public PercentileController rate(double lowest, double highest, int atOnce) {
        least = Ranges.above("least rate", lowest, 0);
        most = Ranges.between("most rate", highest, lowest, Double.MAX_VALUE);
        burst = Ranges.between("burst", atOnce, 1, EventRing.MOST_PLACES);
        return this;
    }

    /** {@return the bucket before the stage, at the rate it begins with} */
    <E> TokenBucket<E> bucket() {
        return new TokenBucket<>(most, burst);
    }

    @Override
    public Decision decide(StageSample sample) {
        elapsed += sample.elapsed();
        responses += sample.responses();
        leastLength = Math.min(leastLength, sample.queueLength());
        for (long time : sample.latestResponses()) {
            latest[count++ % latest.length] = time;
        }
        if (rate == 0) {
            rate = most;
            admitted = most;
        }
        if (count < requests && (elapsed < longest || count == 0)) {
            return Decision.NOTHING;
        }
        double before = admitted;
        double measured = measure();
        smoothed = Double.isNaN(smoothed) ? measured : oldWeight * smoothed + (1 - oldWeight) * measured;
        if (leastLength > 0) {
            // As there was always something to do, this is what the stage can do.
            double served = responses * NANOS_PER_SECOND / elapsed;
            double wait = sample.queueLength() * NANOS_PER_SECOND / served;
            boolean grows = sample.queueLength() > lengthBefore && wait > low * target;
            rate = between(rateForBacklog(measured, grows, served));
            admitted = wait > target ? least : rate;
        } else {
            rate = between(isAbove(measured) ? rate / divisor : risenIfLow());
            admitted = rate;
        }
        count = 0;
        elapsed = 0;
        responses = 0;
        lengthBefore = sample.queueLength();
        leastLength = lengthBefore;
        return admitted == before ? Decision.NOTHING : new Decision.Rate(admitted);
    }

    private double between(double wanted) {
        return Math.max(least, Math.min(most, wanted));
    }

    private double measure() {
        int number = Math.min(count, latest.length);
        Arrays.sort(latest, 0, number);
        return latest[(int) Math.ceil(percentile / 100 * number) - (percentile == 0 ? 0 : 1)];
    }

    /** {@return whether that is so now, and not only still so by the average} */
    private boolean isAbove(double measured) {
        return smoothed > target && measured > target;
    }

    private double risenIfLow() {
        return smoothed < low * target ? rate + Math.max(increment, incrementShare * rate) : rate;
    }

    private double rateForBacklog(double measured, boolean grows, double served) {
        if (isAbove(measured)) {
            return Math.max(leastShare * served, Math.min(rate, served) / divisor);
        }
        return grows ? Math.min(rate, served) : risenIfLow();
    }
}
