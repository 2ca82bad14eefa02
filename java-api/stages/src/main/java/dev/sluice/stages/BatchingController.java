package dev.sluice.stages;

import java.time.Duration;

/**
 * The paper's batching controller (3.4, figure 9): searches for the smallest batching factor that sustains the
 * throughput. It begins with the largest; as long as the moving average of the output rate is near the best, the factor
 * falls; if the average falls a little below it, the factor rises; after a sudden drop it is reset to the largest. The
 * output at the largest factor counts as the best from then on, whatever it is, since larger batches are not possible.
 *
 * <p>It is also reset after a sudden rise. The paper does not have that, but Sandstorm, the prototype of its authors,
 * has it at the same multiple. Under a light load every factor sustains the throughput, so the factor falls to the
 * smallest; when a heavy load follows, its output would be the best that was seen, and remain it.
 *
 * <p>The paper gives no numbers. Sandstorm gives the old average a weight of 0.7, and has the factor fall above 0.98 of
 * the best output and rise below 0.90. The numbers here differ deliberately: 0.5, 0.99 and 0.98. Between the two shares
 * the factor does not change, so the stage settles there, and the more slowly the average follows, the further the
 * factor falls before the loss is seen. With Sandstorm's numbers a stage reaches 0.93 to 0.97 of the best output, in
 * smaller batches.
 */
public final class BatchingController implements StageController {

    /** Largest factor. */
    public static final int MAX = 1000;
    /** Default time between two measurements. */
    public static final Duration WINDOW = Duration.ofSeconds(1);

    /** Smallest factor. */
    private static final int MIN = 1;
    /** Weight of the old average. */
    private static final double OLD_WEIGHT = 0.5;
    /** The factor is multiplied or divided by this. */
    private static final double STEP = 1.2;
    /** Share of the best output above which the factor falls. */
    private static final double HIGH = 0.99;
    /** Share of the best output below which the factor rises. */
    private static final double LOW = 0.98;
    /** Share of the best output below which one window resets the factor. */
    private static final double DROP = 0.2;
    /** Multiple of the best output from which on one window resets the factor. */
    private static final double SURGE = 2;
    private static final double NANOS_PER_SECOND = 1e9;

    private long window = WINDOW.toNanos();
    private long elapsed;
    private long handled;
    /** The factor, not rounded, so that small ones can change, too; 0 before the first window. */
    private double factor;
    private double average;
    private double best;

    /** Creates a controller with the usual parameters. */
    public BatchingController() {
    }

    /**
     * Sets the time between two measurements.
     *
     * @param time more than 0
     * @return this
     */
    public BatchingController window(Duration time) {
        window = Ranges.positive("window", time);
        return this;
    }

    @Override
    public Decision decide(StageSample sample) {
        if (factor == 0) {
            // Events before this one were handled in batches of another size.
            factor = MAX;
            return new Decision.Batch(MAX);
        }
        elapsed += sample.elapsed();
        handled += sample.handled();
        if (elapsed < window) {
            return Decision.NOTHING;
        }
        double rate = handled * NANOS_PER_SECOND / elapsed;
        elapsed = 0;
        handled = 0;
        int before = (int) Math.ceil(factor);
        adjust(rate);
        int after = (int) Math.ceil(factor);
        return after == before ? Decision.NOTHING : new Decision.Batch(after);
    }

    private void adjust(double rate) {
        boolean surges = best > 0 && rate >= SURGE * best && factor < MAX;
        if (rate < DROP * best || surges) {
            factor = MAX;
            average = rate;
            best = rate;
            return;
        }
        average = best == 0 ? rate : OLD_WEIGHT * average + (1 - OLD_WEIGHT) * rate;
        best = factor == MAX ? average : Math.max(best, average);
        if (best == 0) {
            // No event has arrived yet.
            return;
        }
        if (average > HIGH * best) {
            factor = Math.max(MIN, factor / STEP);
        } else if (average < LOW * best) {
            factor = Math.min(MAX, factor * STEP);
        }
    }

    @Override
    public boolean usesTimes() {
        return false;
    }
}
