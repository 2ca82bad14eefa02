package dev.sluice.stages;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;

/**
 * Rejects events at random before the queue is full, with a probability that rises with its length: Random Early
 * Detection, which the paper names in 5.2.3. Uses a moving average of the length, so that short bursts are accepted.
 * The average is reset when the queue is empty.
 *
 * @param <E> the type of the events
 */
public final class RandomEarlyDetection<E> implements Admission<E> {

    /** Weight of a new length in the average. */
    private static final double WEIGHT = 0.02;
    /** Probability of a rejection just below the maximum. */
    private static final double PROBABILITY = 0.1;

    private final int minimum;
    private final int maximum;
    private final DoubleSupplier random;
    /** The bits of a {@code double}. */
    private final AtomicLong average = new AtomicLong(Double.doubleToRawLongBits(0));

    /**
     * Creates an admission with an average of 0.
     *
     * @param minimum the average length up to which all events are accepted; at least 0
     * @param maximum the average length from which on no event is; more than {@code least}
     * @throws IllegalArgumentException if one of them is out of range
     */
    public RandomEarlyDetection(int minimum, int maximum) {
        this(minimum, maximum, () -> ThreadLocalRandom.current().nextDouble());
    }

    RandomEarlyDetection(int minimum, int maximum, DoubleSupplier random) {
        if (minimum < 0 || maximum <= minimum) {
            throw new IllegalArgumentException("from " + minimum + " to " + maximum
                    + ", must be from at least 0 to more");
        }
        this.minimum = minimum;
        this.maximum = maximum;
        this.random = random;
    }

    /** {@return the moving average of the length that arriving events have found} */
    public double average() {
        return Double.longBitsToDouble(average.get());
    }

    @Override
    public boolean admit(E event, int length) {
        double now = averaged(length - 1);
        if (now <= minimum) {
            return true;
        }
        return now < maximum && random.getAsDouble() >= PROBABILITY * (now - minimum) / (maximum - minimum);
    }

    private double averaged(int found) {
        while (true) {
            long bits = average.get();
            double before = Double.longBitsToDouble(bits);
            double after = found == 0 ? 0 : before + WEIGHT * (found - before);
            if (average.compareAndSet(bits, Double.doubleToRawLongBits(after))) {
                return after;
            }
        }
    }
}
