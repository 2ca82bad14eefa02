package dev.sluice.samples.io;

import java.util.Locale;

/** Classes of files by the number of octets sent: each may be best sent in a different way. */
public enum SizeClass {
    /** Is best sent together with its head. */
    SMALL(16 * 1024),
    /** Fits into a socket's buffers. */
    MEDIUM(128 * 1024),
    /** Fits into a processor's caches, more or less. */
    LARGE(1024 * 1024),
    /** All others. */
    HUGE(Long.MAX_VALUE);

    private static final SizeClass[] ALL = values();

    private final long maximum;

    SizeClass(long maximum) {
        this.maximum = maximum;
    }

    /**
     * {@return the class of a file, or of a part of one}
     *
     * @param length in octets
     */
    public static SizeClass of(long length) {
        for (SizeClass each : ALL) {
            if (length <= each.maximum) {
                return each;
            }
        }
        return HUGE;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
