package dev.sluice.samples.soak;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * How something grows with the messages: the median of the slopes between each two looks (Theil and Sen). A look that
 * came at a bad moment, or a pool that grows once, hardly moves it, and its bounds need no assumption about the noise.
 *
 * @param perMessage the median
 * @param atLeast    what the slope is not below, beyond doubt
 * @param messages   from the first look to the last
 */
record Trend(double perMessage, double atLeast, double messages) {

    private static final double DEVIATIONS = 3;

    static Trend of(List<Look> looks, ToDoubleFunction<Look> what) {
        int n = looks.size();
        double[] slopes = new double[n * (n - 1) / 2];
        int count = 0;
        for (int i = 0; i < n; i++) {
            for (int j = i + 1; j < n; j++) {
                slopes[count++] = (what.applyAsDouble(looks.get(j)) - what.applyAsDouble(looks.get(i)))
                        / Math.max(1, looks.get(j).messages() - looks.get(i).messages());
            }
        }
        Arrays.sort(slopes);
        // The standard deviation of Kendall's statistic, which counts how many slopes rise more than fall.
        double deviation = Math.sqrt(n * (n - 1) * (2 * n + 5) / 18.0);
        int lowest = (int) Math.max(0, (slopes.length - DEVIATIONS * deviation) / 2);
        return new Trend(slopes[slopes.length / 2], slopes[lowest],
                looks.get(n - 1).messages() - looks.get(0).messages());
    }

    /** {@return how much there is more at the end, beyond doubt} */
    double certainGrowth() {
        return atLeast * messages;
    }

    /** {@return the least that each message has to lose for a growth of more than so much to be beyond doubt} */
    double noticed(double allowance) {
        return allowance / messages + perMessage - atLeast;
    }
}
