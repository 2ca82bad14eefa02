package dev.sluice.samples.gnutella.handshake;

/** The two versions of the handshake. */
public enum Version {

    /** A line each, and nothing said about oneself. */
    OLD("0.4"),
    /** With headers. */
    NEW("0.6");

    private final String number;

    Version(String number) {
        this.number = number;
    }

    /**
     * Finds the dialect that both understand: ours, or a lower one.
     *
     * @param major of what the other side speaks, in digits
     * @param minor the same
     * @return what to speak
     */
    static Version understood(String major, String minor) {
        return Integer.parseInt(major) > 0 || Integer.parseInt(minor) >= 6 ? NEW : OLD;
    }

    /** {@return for example {@code 0.6}} */
    @Override
    public String toString() {
        return number;
    }
}
