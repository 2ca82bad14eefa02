package dev.sluice.samples.adaptation;

/**
 * What was done when something was tried last. Under another load that says little. Immutable.
 *
 * @param rate     in octets per second; 0 if nothing has been tried
 * @param contrary for how many samples in a row it was much more or much less
 */
record Baseline(double rate, int contrary) {

    /** Of nothing. */
    static final Baseline NONE = new Baseline(0, 0);

    private static final double MUCH = 2;

    static Baseline of(double rate) {
        return new Baseline(rate, 0);
    }

    /** {@return the next state, after a sample in which so much was done} */
    Baseline next(double now) {
        boolean differs = isKnown() && (now > MUCH * rate || MUCH * now < rate);
        return new Baseline(rate, differs ? contrary + 1 : 0);
    }

    /** {@return whether something has been tried} */
    boolean isKnown() {
        return rate > 0;
    }

    /** {@return whether the load has been another one for so many samples in a row} */
    boolean isOutdated(int samples) {
        return contrary >= samples;
    }
}
