package dev.sluice.samples.adaptation;

/**
 * What was done when something was tried last, and for how many at once. Under another load that says little.
 * Immutable.
 *
 * @param rate     in octets per second; 0 if nothing has been tried
 * @param requests that were replied to at the same time; 0 if that does not matter
 * @param contrary for how many samples in a row it was much more or much less of either
 */
record Baseline(double rate, double requests, int contrary) {

    /** Of nothing. */
    static final Baseline NONE = new Baseline(0, 0, 0);

    private static final double MUCH = 2;
    /** A few requests more or less are chance, and twice as many as one still are few. */
    private static final double FEW = 4;

    /** {@return what was done, if it does not matter for how many at once} */
    static Baseline of(double rate) {
        return of(rate, 0);
    }

    /** {@return what was done, and for how many at once} */
    static Baseline of(double rate, double requests) {
        return new Baseline(rate, requests, 0);
    }

    /** {@return the next state, after a sample with the given rate} */
    Baseline next(double now) {
        return next(now, requests);
    }

    /** {@return the next state, after a sample with the given rate and number of concurrent requests} */
    Baseline next(double now, double requestsNow) {
        boolean differs = isKnown() && (isFar(now, rate) || isFar(requestsNow + FEW, requests + FEW));
        return new Baseline(rate, requests, differs ? contrary + 1 : 0);
    }

    private static boolean isFar(double one, double other) {
        return one > MUCH * other || MUCH * one < other;
    }

    /** {@return whether something has been tried} */
    boolean isKnown() {
        return rate > 0;
    }

    /** {@return whether the load has differed for the given number of consecutive samples} */
    boolean isOutdated(int samples) {
        return contrary >= samples;
    }
}
