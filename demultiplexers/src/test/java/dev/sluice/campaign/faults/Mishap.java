package dev.sluice.campaign.faults;

import dev.sluice.calls.Errno;
import java.util.Locale;

/**
 * What may become of a call.
 *
 * @param kind     how it goes wrong
 * @param error    what it returns, null if it fails in no such way
 * @param harmless whether the library has to get over it, as if nothing had happened
 */
record Mishap(Kind kind, Errno error, boolean harmless) {

    /** How a call goes wrong. */
    enum Kind {
        /** It returns an error and has done nothing. */
        FAILS,
        /** It has done what it should, and returns an error all the same. */
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

    static final Mishap SHORT = new Mishap(Kind.SHORT, null, true);
    static final Mishap SPURIOUS = new Mishap(Kind.SPURIOUS, null, true);
    static final Mishap ONCE = new Mishap(Kind.ONCE, null, true);
    static final Mishap SWAPPED = new Mishap(Kind.SWAPPED, null, true);
    static final Mishap EXHAUSTED = new Mishap(Kind.EXHAUSTED, null, false);

    static Mishap fails(Errno error) {
        return new Mishap(Kind.FAILS, error, false);
    }

    static Mishap delays(Errno error) {
        return new Mishap(Kind.FAILS, error, true);
    }

    static Mishap failsAfterwards(Errno error) {
        return new Mishap(Kind.FAILS_AFTERWARDS, error, true);
    }

    /** {@return for example {@code EINTR}, {@code EINTR-afterwards} or {@code short}} */
    @Override
    public String toString() {
        return switch (kind) {
            case FAILS -> error.name();
            case FAILS_AFTERWARDS -> error.name() + "-afterwards";
            default -> kind.name().toLowerCase(Locale.ROOT);
        };
    }
}
