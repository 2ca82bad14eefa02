package dev.sluice.samples.compare;

import java.util.List;

/**
 * The values of one figure in several repetitions.
 *
 * @param minimum     of all
 * @param median      in the middle
 * @param maximum     of all
 * @param repetitions how many there are
 */
record Spread(double minimum, double median, double maximum, int repetitions) {

    /**
     * Minimum number of repetitions before a difference counts. For two equal figures with n repetitions each, all of
     * one are below all of the other, or vice versa, with a probability of 2 (n!)^2 / (2n)!: one in three for n = 2,
     * one in ten for 3, one in 35 for 4, one in 126 for 5.
     */
    static final int MIN_REPETITIONS = 4;

    private static final double PERCENT = 100;

    /** {@return the spread of at least one value} */
    static Spread of(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int count = sorted.size();
        return new Spread(sorted.get(0), (sorted.get((count - 1) / 2) + sorted.get(count / 2)) / 2,
                sorted.get(count - 1), count);
    }

    /** {@return whether the difference is larger than chance explains: all values are below all of the other's} */
    boolean isBelow(Spread other) {
        return Math.min(repetitions, other.repetitions) >= MIN_REPETITIONS && maximum < other.minimum;
    }

    /** {@return whether neither of the two is clearly larger} */
    boolean isLike(Spread other) {
        return !isBelow(other) && !other.isBelow(this);
    }

    /**
     * {@return half of the difference between minimum and maximum, in percent of the median; {@code NaN} for one value}
     */
    double percent() {
        return repetitions == 1 ? Double.NaN : PERCENT * (maximum - minimum) / 2 / median;
    }
}
