package dev.sluice.samples.adaptation;

/**
 * The number of consecutive samples with the same request. Immutable.
 *
 * @param length positive for more of something, negative for less, or for something else
 */
public record Row(int length) {

    /** No request. */
    public static final Row NONE = new Row(0);

    /** Samples in a row that ask for more. */
    private static final int SOON = 2;
    /** Samples in a row that ask for less, or for something else. */
    private static final int LATER = 5;

    /** {@return one more in a row, or the first one of another row; direction is 1, -1, or 0} */
    Row next(int direction) {
        return direction == 0 ? NONE
                : new Row(Integer.signum(length) == direction ? length + direction : direction);
    }

    /** {@return whether there were enough samples for the change} */
    boolean isDue() {
        return length == SOON || length == -LATER;
    }

    /** {@return the row for the next sample: a new one, if this one is due} */
    Row rest() {
        return isDue() ? NONE : this;
    }

    /** {@return twice as much if that is due, or half, within the bounds} */
    int changed(int value, int minimum) {
        if (!isDue()) {
            return value;
        }
        return length > 0 ? Math.min(2 * value, Adaptation.MAX_TIMES * minimum) : Math.max(value / 2, minimum);
    }
}
