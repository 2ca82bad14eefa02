package dev.sluice.benchmarks.load;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Zipf's law: of so many things, the second is chosen half as often as the first, the third a third as often. */
final class Zipf {

    /** For each rank: the probability of it and of all before it. */
    private final double[] cumulative;

    /**
     * Creates an instance.
     *
     * @param count the number of things, at least 1
     */
    Zipf(int count) {
        cumulative = new double[count];
        double sum = 0;
        for (int rank = 0; rank < count; rank++) {
            sum += 1.0 / (rank + 1);
            cumulative[rank] = sum;
        }
        for (int rank = 0; rank < count; rank++) {
            cumulative[rank] /= sum;
        }
    }

    /** {@return a rank, from 0 on} */
    int choose(SplittableRandom random) {
        int found = Arrays.binarySearch(cumulative, random.nextDouble());
        return Math.min(found >= 0 ? found + 1 : -found - 1, cumulative.length - 1);
    }
}
