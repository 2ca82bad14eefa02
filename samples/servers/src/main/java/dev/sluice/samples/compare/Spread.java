package dev.sluice.samples.compare;

import java.util.List;

/**
 * What one figure was in several repetitions.
 *
 * @param least       of all
 * @param median      in the middle
 * @param most        of all
 * @param repetitions how many there are
 */
record Spread(double least, double median, double most, int repetitions) {

    /**
     * As many are needed before a difference is said to be one. Of two figures that are really equal, with n
     * repetitions each, all of the one lie below all of the other, or the other way round, with a probability of
     * 2 (n!)^2 / (2n)!: one in three for n = 2, one in ten for 3, one in 35 for 4, one in 126 for 5.
     */
    static final int MIN_REPETITIONS = 4;

    private static final double PERCENT = 100;

    /** Makes one of at least one value. */
    static Spread of(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int count = sorted.size();
        return new Spread(sorted.get(0), (sorted.get((count - 1) / 2) + sorted.get(count / 2)) / 2,
                sorted.get(count - 1), count);
    }

    /** {@return whether the difference is larger than chance makes it: all of these are below all of the other's} */
    boolean isBelow(Spread other) {
        return Math.min(repetitions, other.repetitions) >= MIN_REPETITIONS && most < other.least;
    }

    /** {@return whether neither of the two is clearly larger} */
    boolean isLike(Spread other) {
        return !isBelow(other) && !other.isBelow(this);
    }

    /** {@return half of what lies between the least and the most, in percent of the median; not a number for one} */
    double percent() {
        return repetitions == 1 ? Double.NaN : PERCENT * (most - least) / 2 / median;
    }
}
