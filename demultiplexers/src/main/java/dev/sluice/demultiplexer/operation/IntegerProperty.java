package dev.sluice.demultiplexer.operation;

/**
 * A system property whose value is a number; a value that is not a number, or is out of range, is refused, not ignored.
 */
public final class IntegerProperty {

    private IntegerProperty() {
    }

    /**
     * Reads a property.
     *
     * @param name     the name of the property
     * @param least    the smallest value allowed
     * @param most     that it may be
     * @param absent   the value if the property is not set
     * @return its value
     * @throws IllegalArgumentException if it is not a number in this range; the message names the property
     */
    public static int of(String name, int least, int most, int absent) {
        String text = System.getProperty(name);
        if (text == null) {
            return absent;
        }
        NumberFormatException cause = null;
        try {
            int value = Integer.parseInt(text.strip());
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            cause = e;
        }
        throw new IllegalArgumentException("-D" + name + "=" + text + ": not a number from " + least + " to " + most,
                cause);
    }
}
