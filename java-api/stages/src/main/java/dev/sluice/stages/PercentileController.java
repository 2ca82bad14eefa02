package dev.sluice.stages;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Keeps a percentile of the response time below a target, by the rate of a token bucket in front of the stage, as in
 * the later work of the paper's authors. Above the target the rate is divided, well below it a constant is added; in
 * between it does not change. The percentile is that of the last requests, smoothed. A stage with this controller gets
 * a bucket of its own.
 *
 * <p>Response times are known late: they belong to events admitted long before. So while the queue is never empty, this
 * controller takes the throughput into account as well. A rate far above the throughput is set to it immediately. While
 * the stage serves a backlog admitted at an older rate, the new rate does not fall to zero; but as long as the backlog
 * alone takes longer than the target, events are admitted at the minimum rate only, since their responses would be
 * late. And if the queue grows and will take too long to drain, the rate is limited to the throughput, even if the
 * latest response times are short.
 */
public final class PercentileController implements StageController {

    /** Minimum rate, in events per second. */
    public static final double MIN_RATE = 0.05;
    /** Maximum rate, in events per second, which is also the initial one. */
    public static final double MAX_RATE = 5000;
    /** Burst of the bucket. */
    public static final int BURST = 100;

    /** The percentile, as a share. */
    private static final double PERCENTILE = 0.9;
    /** Number of requests after which it decides. */
    private static final int REQUESTS = 100;
    /** Time after which it decides even if there were fewer requests, but at least one. */
    private static final long LONGEST = TimeUnit.SECONDS.toNanos(1);
    /** Weight of the old percentile. */
    private static final double OLD_WEIGHT = 0.7;
    /** Share of the target below which the rate rises. */
    private static final double LOW = 0.5;
    /** The rate is divided by this. */
    private static final double DIVISOR = 1.2;
    /** Added to the rate, in events per second; or this share of the rate, if that is more. */
    private static final double INCREMENT = 2;
    private static final double INCREMENT_SHARE = 0.05;
    /** Minimum rate while there is a backlog, as a share of the throughput. */
    private static final double MIN_SHARE = 0.25;
    private static final double NANOS_PER_SECOND = 1e9;

    private final double target;
    private final TokenBucket<Object> bucket = new TokenBucket<>(MAX_RATE, BURST);
    private final long[] latest = new long[ResponseTimes.CAPACITY];
    private int count;
    private long elapsed;
    private long responses;
    private double smoothed = Double.NaN;
    /** Length of the queue at the last decision. */
    private int lengthBefore;
    /** Minimum length of the queue since the last decision. */
    private int minLength;
    /** 0 before the first decision. */
    private double rate;
    /** That rate, or the minimum rate while all admitted events would be late. */
    private double admitted;

    /**
     * Creates a controller with the given target.
     *
     * @param target the percentile of the response times, more than 0
     * @throws IllegalArgumentException if the target is not positive
     */
    public PercentileController(Duration target) {
        this.target = Ranges.positive("target", target);
    }

    @Override
    public TokenBucket<Object> bucket() {
        return bucket;
    }

    @Override
    public Decision decide(StageSample sample) {
        elapsed += sample.elapsed();
        responses += sample.responses();
        minLength = Math.min(minLength, sample.queueLength());
        for (long time : sample.latestResponses()) {
            latest[count++ % latest.length] = time;
        }
        if (rate == 0) {
            rate = MAX_RATE;
            admitted = MAX_RATE;
        }
        if (count < REQUESTS && elapsed < LONGEST) {
            return Decision.NOTHING;
        }
        if (count == 0) {
            return sample.queueLength() == 0 ? endOfBacklog() : Decision.NOTHING;
        }
        double before = admitted;
        double measured = measure();
        smoothed = Double.isNaN(smoothed) ? measured : OLD_WEIGHT * smoothed + (1 - OLD_WEIGHT) * measured;
        if (minLength > 0) {
            // The stage was never idle, so this is its capacity.
            double served = responses * NANOS_PER_SECOND / elapsed;
            double wait = sample.queueLength() * NANOS_PER_SECOND / served;
            boolean grows = sample.queueLength() > lengthBefore && wait > LOW * target;
            rate = between(rateForBacklog(measured, grows, served));
            admitted = wait > target ? MIN_RATE : rate;
        } else {
            rate = between(isAbove(measured) ? rate / DIVISOR : risenIfLow());
            admitted = rate;
        }
        count = 0;
        elapsed = 0;
        responses = 0;
        lengthBefore = sample.queueLength();
        minLength = lengthBefore;
        return admitted == before ? Decision.NOTHING : new Decision.Rate(admitted);
    }

    /** Ends the minimum rate: a backlog that was discarded or has failed has no response times to decide by. */
    private Decision endOfBacklog() {
        if (admitted == rate) {
            return Decision.NOTHING;
        }
        admitted = rate;
        return new Decision.Rate(rate);
    }

    private double between(double newRate) {
        return Math.max(MIN_RATE, Math.min(MAX_RATE, newRate));
    }

    private double measure() {
        int number = Math.min(count, latest.length);
        Arrays.sort(latest, 0, number);
        return latest[(int) Math.ceil(PERCENTILE * number) - 1];
    }

    /** {@return whether the latest percentile is above the target, and not only the average} */
    private boolean isAbove(double measured) {
        return smoothed > target && measured > target;
    }

    private double risenIfLow() {
        return smoothed < LOW * target ? rate + Math.max(INCREMENT, INCREMENT_SHARE * rate) : rate;
    }

    private double rateForBacklog(double measured, boolean grows, double served) {
        if (isAbove(measured)) {
            return Math.max(MIN_SHARE * served, Math.min(rate, served) / DIVISOR);
        }
        return grows ? Math.min(rate, served) : risenIfLow();
    }
}
