package dev.sluice.stage;

import java.time.Duration;

/**
 * The paper's batching controller (3.4, figure 9): searches for the smallest batching factor that sustains the
 * throughput. It begins with the largest; as long as the moving average of the output rate is near the best, the factor
 * falls; if the average falls a little below it, the factor rises; after a sudden drop it is reset to the largest. At
 * the largest, whatever the output is, larger batches would not improve it, so it is the best from then on.
 *
 * <p>The paper gives no numbers. Its authors' prototype, Sandstorm, gives the old average a weight of 0.7, and has the
 * factor fall above 0.98 of the best output and rise below 0.90. The defaults here are others on purpose, 0.5, 0.99 and
 * 0.98: between the two shares the factor stays where it is, so that is what the stage settles at, and the more slowly
 * the average follows, the further the factor falls before it shows. With Sandstorm's numbers a stage keeps 0.93 to
 * 0.97 of the best output, in smaller batches. Whoever prefers that gives them to {@link #oldWeight} and
 * {@link #shares}.
 */
public final class BatchingController implements StageController {

    /** The least factor, unless told otherwise. */
    public static final int LEAST = 1;
    /** The largest factor, unless told otherwise. */
    public static final int MOST = 1000;
    /** How often it looks, unless told otherwise. */
    public static final Duration WINDOW = Duration.ofSeconds(1);
    /** The weight of the old average, unless told otherwise. */
    public static final double OLD_WEIGHT = 0.5;
    /** The factor changes by this factor, unless told otherwise. */
    public static final double STEP = 1.2;
    /** Above this share of the best output the factor falls, unless told otherwise. */
    public static final double HIGH = 0.99;
    /** Below this share of the best output the factor rises, unless told otherwise. */
    public static final double LOW = 0.98;
    /** Below this share of the best output in one window the factor is reset, unless told otherwise. */
    public static final double DROP = 0.2;

    private static final double NANOS_PER_SECOND = 1e9;

    private int least = LEAST;
    private int most = MOST;
    private long window = WINDOW.toNanos();
    private double oldWeight = OLD_WEIGHT;
    private double step = STEP;
    private double high = HIGH;
    private double low = LOW;
    private double drop = DROP;

    private long elapsed;
    private long handled;
    /** The factor, with its fraction, so that small ones can change, too; 0 before the first window. */
    private double factor;
    private double average;
    private double best;

    /** Makes one with the usual parameters. */
    public BatchingController() {
    }

    /**
     * Between which factors to search. The stage has a limit of its own.
     *
     * @param fewest at least 1
     * @param many   not fewer
     * @return this
     */
    public BatchingController batch(int fewest, int many) {
        least = Ranges.between("least batch", fewest, 1, EventRing.MOST_PLACES);
        most = Ranges.between("most batch", many, fewest, EventRing.MOST_PLACES);
        return this;
    }

    /**
     * How often to look.
     *
     * @param time more than 0
     * @return this
     */
    public BatchingController window(Duration time) {
        window = Ranges.positive("window", time);
        return this;
    }

    /**
     * How slowly the moving average follows.
     *
     * @param weight of the old average, from 0 to 1
     * @return this
     */
    public BatchingController oldWeight(double weight) {
        oldWeight = Ranges.between("weight", weight, 0, 1);
        return this;
    }

    /**
     * How fast the factor changes.
     *
     * @param change by which factor, more than 1
     * @return this
     */
    public BatchingController step(double change) {
        step = Ranges.above("step", change, 1);
        return this;
    }

    /**
     * What is near the best output, and what is far from it.
     *
     * @param sudden below this share the factor is reset; at least 0
     * @param below  below this share the factor rises; not less
     * @param above  above this share the factor falls; not less, 1 at most
     * @return this
     */
    public BatchingController shares(double sudden, double below, double above) {
        drop = Ranges.between("sudden drop", sudden, 0, 1);
        low = Ranges.between("low share", below, drop, 1);
        high = Ranges.between("high share", above, low, 1);
        return this;
    }

    @Override
    public Decision decide(StageSample sample) {
        if (factor == 0) {
            // What came before was not handled in such batches.
            factor = most;
            return new Decision.Batch(most);
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
        look(rate);
        int after = (int) Math.ceil(factor);
        return after == before ? Decision.NOTHING : new Decision.Batch(after);
    }

    private void look(double rate) {
        if (rate < drop * best) {
            factor = most;
            average = rate;
            best = rate;
            return;
        }
        average = best == 0 ? rate : oldWeight * average + (1 - oldWeight) * rate;
        best = factor == most ? average : Math.max(best, average);
        if (best == 0) {
            // Nothing has come yet, so nothing can be learned.
            return;
        }
        if (average > high * best) {
            factor = Math.max(least, factor / step);
        } else if (average < low * best) {
            factor = Math.min(most, factor * step);
        }
    }

    @Override
    public boolean usesTimes() {
        return false;
    }
}
