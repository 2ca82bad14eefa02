package dev.sluice.mechanism.operation;

/** A system property whose value is a number; one that is none, or out of range, is refused and not ignored. */
public final class IntegerProperty {

    private IntegerProperty() {
    }

    /**
     * Reads a property.
     *
     * @param name     of the property
     * @param least    that it may be
     * @param most     that it may be
     * @param absent   what it is if it is not set
     * @return its value
     * @throws IllegalArgumentException if it is no number in this range; the message names the property
     */
    public static int of(String name, int least, int most, int absent) {
        String text = System.getProperty(name);
        if (text == null) {
            return absent;
        }
        try {
            int value = Integer.parseInt(text.strip());
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(complaint(name, text, least, most), e);
        }
        throw new IllegalArgumentException(complaint(name, text, least, most));
    }

    private static String complaint(String name, String text, int least, int most) {
        return "-D" + name + "=" + text + ": not a number from " + least + " to " + most;
    }
}
