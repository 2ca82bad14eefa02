package dev.sluice.samples.io;

/** Limits the rate at which one connection is sent to, by sending shares at intervals. For one thread at a time. */
final class Throttle {

    /** How many times in a second something may go: few enough to cost nothing, enough for a steady stream. */
    private static final int SHARES_PER_SECOND = 10;
    private static final long SECOND = 1_000_000_000;

    /** Octets in a second; 0 if it goes as fast as it can. */
    private long rate;
    /** When the next share may go, on the scale of {@link System#nanoTime()}. */
    private long due;

    /** From now on it may be this fast, in octets a second; 0 for as fast as it can. */
    void rate(long octetsPerSecond) {
        if (rate == 0) {
            due = System.nanoTime();
        }
        rate = octetsPerSecond;
    }

    /** {@return whether it may go as fast as it can} */
    boolean isOff() {
        return rate == 0;
    }

    /** {@return for how many nanoseconds nothing may be sent; zero or less if something may} */
    long pause() {
        return rate == 0 ? 0 : due - System.nanoTime();
    }

    /** {@return the number of octets, up to the given number, that may be sent in one step} */
    int share(int maximum) {
        return rate == 0 ? maximum : (int) Math.min(maximum, Math.max(1, rate / SHARES_PER_SECOND));
    }

    /** Octets have been sent, or are about to be. */
    void spend(long octets) {
        if (rate > 0) {
            due = Math.max(due, System.nanoTime()) + octets * SECOND / rate;
        }
    }
}
