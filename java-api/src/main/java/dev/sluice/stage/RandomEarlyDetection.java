package dev.sluice.stage;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;

/**
 * Refuses some events at random before the queue is full, and the more the longer it is: Random Early Detection, which
 * the paper names in 5.2.3. Looks at a moving average of the length, so that short bursts get through. An empty queue
 * forgets its past.
 *
 * @param <E> the events
 */
public final class RandomEarlyDetection<E> implements Admission<E> {

    /** The weight of a new length in the average, unless another is given. */
    public static final double WEIGHT = 0.02;
    /** The probability at the most, unless another is given. */
    public static final double PROBABILITY = 0.1;

    private final int least;
    private final int most;
    private final double probability;
    private final double weight;
    private final DoubleSupplier random;
    /** The bits of a {@code double}. */
    private final AtomicLong average = new AtomicLong(Double.doubleToRawLongBits(0));

    /**
     * Begins with an average of 0.
     *
     * @param least up to this average length everything gets in; at least 0
     * @param most  from this average length on nothing does; more than {@code least}
     * @throws IllegalArgumentException if one of them is out of its range
     */
    public RandomEarlyDetection(int least, int most) {
        this(least, most, PROBABILITY, WEIGHT);
    }

    /**
     * Begins with an average of 0.
     *
     * @param least       up to this average length everything gets in; at least 0
     * @param most        from this average length on nothing does; more than {@code least}
     * @param probability of being refused just below {@code most}; from 0 to 1
     * @param weight      of a new length in the average; more than 0, up to 1
     * @throws IllegalArgumentException if one of them is out of its range
     */
    public RandomEarlyDetection(int least, int most, double probability, double weight) {
        this(least, most, probability, weight, () -> ThreadLocalRandom.current().nextDouble());
    }

    RandomEarlyDetection(int least, int most, double probability, double weight, DoubleSupplier random) {
        if (least < 0 || most <= least) {
            throw new IllegalArgumentException("from " + least + " to " + most + ", must be from at least 0 to more");
        }
        if (!(probability >= 0 && probability <= 1)) {
            throw new IllegalArgumentException("probability: " + probability + ", must be from 0 to 1");
        }
        if (!(weight > 0 && weight <= 1)) {
            throw new IllegalArgumentException("weight: " + weight + ", must be more than 0, and 1 at most");
        }
        this.least = least;
        this.most = most;
        this.probability = probability;
        this.weight = weight;
        this.random = random;
    }

    /** {@return the moving average of the length that arriving events have found} */
    public double average() {
        return Double.longBitsToDouble(average.get());
    }

    @Override
    public boolean admit(E event, int length) {
        double now = averaged(length - 1);
        if (now <= least) {
            return true;
        }
        return now < most && random.getAsDouble() >= probability * (now - least) / (most - least);
    }

    private double averaged(int found) {
        while (true) {
            long bits = average.get();
            double before = Double.longBitsToDouble(bits);
            double after = found == 0 ? 0 : before + weight * (found - before);
            if (average.compareAndSet(bits, Double.doubleToRawLongBits(after))) {
                return after;
            }
        }
    }
}
