package dev.sluice.calls;

/**
 * Selects the value that this system has for a constant or an offset. The value is assigned to a {@code static final}
 * field, which is a constant in compiled code.
 */
public final class PerSystem {

    /** The value of a constant that a system does not have. No flag, option, filter or offset has this value. */
    public static final int NONE = Integer.MIN_VALUE;

    private PerSystem() {
    }

    /**
     * Selects a number that is the same on all systems descended from BSD.
     *
     * @param linux the number on Linux, and on systems other than Unix
     * @param bsd   the number on macOS, FreeBSD and OpenBSD
     * @return the number on this system
     */
    public static int of(int linux, int bsd) {
        return of(linux, bsd, bsd, bsd);
    }

    /**
     * Selects a number that differs from system to system.
     *
     * @param linux the number on Linux, and on systems other than Unix
     * @param macos   the number on macOS
     * @param freebsd the number on FreeBSD
     * @param openbsd the number on OpenBSD
     * @return the number on this system
     */
    public static int of(int linux, int macos, int freebsd, int openbsd) {
        return switch (Platform.CURRENT.os()) {
            case MACOS -> macos;
            case FREEBSD -> freebsd;
            case OPENBSD -> openbsd;
            default -> linux;
        };
    }
}
