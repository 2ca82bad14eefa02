package dev.sluice.calls;

/**
 * Chooses among the values that Unix systems have for a constant or an offset. The chosen value goes into a
 * {@code static final} field, so that compiled code sees a number and no choice.
 */
public final class PerSystem {

    /** Stands for something that a system does not have. No flag, option, filter or offset has this value. */
    public static final int NONE = Integer.MIN_VALUE;

    private PerSystem() {
    }

    /**
     * A number that is the same on all systems descended from BSD.
     *
     * @param linux on Linux, and where no Unix constant is used
     * @param bsd   on macOS, FreeBSD and OpenBSD
     * @return the one for this system
     */
    public static int of(int linux, int bsd) {
        return of(linux, bsd, bsd, bsd);
    }

    /**
     * A number that differs from system to system.
     *
     * @param linux   on Linux, and where no Unix constant is used
     * @param macos   on macOS
     * @param freebsd on FreeBSD
     * @param openbsd on OpenBSD
     * @return the one for this system
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
