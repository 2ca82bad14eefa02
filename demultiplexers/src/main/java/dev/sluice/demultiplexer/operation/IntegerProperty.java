package dev.sluice.demultiplexer.operation;

/**
 * Reads system properties whose values are numbers. A value that is not a number or is out of range is refused, not
 * ignored.
 */
public final class IntegerProperty {

    private IntegerProperty() {
    }

    /**
     * Reads a property.
     *
     * @param name     the name of the property
     * @param min    the minimum value
     * @param max    the maximum value
     * @param absent the result if the property is not set
     * @return its value
     * @throws IllegalArgumentException if it is not a number in this range; the message names the property
     */
    public static int of(String name, int min, int max, int absent) {
        String text = System.getProperty(name);
        if (text == null) {
            return absent;
        }
        NumberFormatException cause = null;
        try {
            int value = Integer.parseInt(text.strip());
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException e) {
            cause = e;
        }
        throw new IllegalArgumentException("-D" + name + "=" + text + ": not a number from " + min + " to " + max,
                cause);
    }
}
