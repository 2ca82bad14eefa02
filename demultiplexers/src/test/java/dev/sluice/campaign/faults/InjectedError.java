package dev.sluice.campaign.faults;

import dev.sluice.calls.Errno;
import dev.sluice.calls.WindowsError;
import java.util.Locale;

/**
 * What may become of a call.
 *
 * @param kind     how it goes wrong
 * @param error    the name of its error, null if it fails in no such way
 * @param result   what it returns with that error
 * @param harmless whether the library has to get over it, as if nothing had happened
 */
record InjectedError(Kind kind, Errno error, long result, boolean harmless) {

    /** How a call goes wrong. */
    enum Kind {
        /** It returns an error and has done nothing. */
        FAILS,
        /** It has done what it should, and still returns an error. */
        FAILS_AFTERWARDS,
        /** It moves one byte. */
        SHORT,
        /** It reports a readiness that is none. */
        SPURIOUS,
        /** A request that might bring many completions brings one. */
        ONCE,
        /** Two completions of different requests come the other way round. */
        SWAPPED,
        /** There is no memory: it throws. */
        EXHAUSTED
    }

    private static final int STATUS_INSUFFICIENT_RESOURCES = 0xc000_009a;

    static final InjectedError SHORT = new InjectedError(Kind.SHORT, null, 0, true);
    static final InjectedError SPURIOUS = new InjectedError(Kind.SPURIOUS, null, 0, true);
    static final InjectedError ONCE = new InjectedError(Kind.ONCE, null, 0, true);
    static final InjectedError SWAPPED = new InjectedError(Kind.SWAPPED, null, 0, true);
    static final InjectedError EXHAUSTED = new InjectedError(Kind.EXHAUSTED, null, 0, false);

    static InjectedError fails(Errno error) {
        return new InjectedError(Kind.FAILS, error, -error.number(), false);
    }

    static InjectedError delays(Errno error) {
        return new InjectedError(Kind.FAILS, error, -error.number(), true);
    }

    static InjectedError failsAfterwards(Errno error) {
        return new InjectedError(Kind.FAILS_AFTERWARDS, error, -error.number(), true);
    }

    /** A failure with an error that has no name here, which must not do harm either. */
    static InjectedError delaysUnknown(int number) {
        return new InjectedError(Kind.FAILS, Errno.UNKNOWN, -number, true);
    }

    /** As {@link #fails(Errno)}, with an error number of Windows. */
    static InjectedError fails(int number) {
        return ofWindows(Kind.FAILS, number, false);
    }

    /** As {@link #delays(Errno)}, with an error number of Windows. */
    static InjectedError delays(int number) {
        return ofWindows(Kind.FAILS, number, true);
    }

    /** As {@link #failsAfterwards(Errno)}, with an error number of Windows. */
    static InjectedError failsAfterwards(int number) {
        return ofWindows(Kind.FAILS_AFTERWARDS, number, true);
    }

    /** What a call of the kernel of Windows returns that finds no memory. */
    static InjectedError lacksResources() {
        return new InjectedError(Kind.FAILS, Errno.ENOBUFS, STATUS_INSUFFICIENT_RESOURCES, false);
    }

    private static InjectedError ofWindows(Kind kind, int number, boolean harmless) {
        return new InjectedError(kind, Errno.of(WindowsError.toErrno(-number)), -number, harmless);
    }

    /** {@return for example {@code EINTR}, {@code EINTR-afterwards}, {@code short}, on Windows {@code EMFILE-10024}} */
    @Override
    public String toString() {
        return switch (kind) {
            case FAILS -> error.name() + number();
            case FAILS_AFTERWARDS -> error.name() + number() + "-afterwards";
            default -> kind.name().toLowerCase(Locale.ROOT);
        };
    }

    private String number() {
        return result == -error.number() ? "" : Long.toString(result);
    }
}
