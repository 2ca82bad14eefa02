package dev.sluice.samples.adaptation;

/**
 * The load during the last trial: throughput, and the number of concurrent requests. Under another load, the result of
 * the trial may not hold. Immutable.
 *
 * @param rate     in octets per second; 0 if nothing has been tried
 * @param requests that were replied to at the same time; 0 if that does not matter
 * @param contrary for how many samples in a row it was much more or much less of either
 */
record Baseline(double rate, double requests, int contrary) {

    /** The baseline before any trial. */
    static final Baseline NONE = new Baseline(0, 0, 0);

    private static final double MUCH = 2;
    /** Differences below this number of requests are chance. */
    private static final double FEW = 4;

    /** {@return a baseline of a rate, regardless of the number of concurrent requests} */
    static Baseline of(double rate) {
        return of(rate, 0);
    }

    /** {@return a baseline of a rate and a number of concurrent requests} */
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

    /** {@return whether there was a trial} */
    boolean isKnown() {
        return rate > 0;
    }

    /** {@return whether the load has differed for the given number of consecutive samples} */
    boolean isOutdated(int samples) {
        return contrary >= samples;
    }
}
