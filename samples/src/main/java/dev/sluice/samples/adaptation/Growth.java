package dev.sluice.samples.adaptation;

/**
 * A growth of a pool that has to show that it pays: what is done before it is compared with what is done after it.
 * Immutable.
 *
 * @param threads how many there were before
 * @param looks   how many there have been since it was asked for
 * @param before  what was done before, in octets per second and for all looks together
 * @param after   what was done after it
 */
record Growth(int threads, int looks, double before, double after) {

    /** One look tells little: a load is not the same from one tenth of a second to the next. */
    private static final int LOOKS = 4;
    /** In the first look after it, the new threads have still to be started. */
    private static final int FIRST_AFTER = LOOKS + 2;
    /** Less is chance. */
    private static final double CLEARLY_MORE = 1.05;

    static Growth of(int threads) {
        return new Growth(threads, 0, 0, 0);
    }

    /** {@return the next state, after a look} */
    Growth next(double rate) {
        int now = looks + 1;
        return new Growth(threads, now, now <= LOOKS ? before + rate : before,
                now >= FIRST_AFTER ? after + rate : after);
    }

    /** {@return whether there are to be more threads now: what is done without them has been seen} */
    boolean isInForce() {
        return looks >= LOOKS;
    }

    /** {@return whether enough has been seen} */
    boolean isOver() {
        return looks == FIRST_AFTER + LOOKS - 1;
    }

    /** {@return whether it pays} It may, where nothing at all is done: then all threads wait for something. */
    boolean pays() {
        return after >= CLEARLY_MORE * before;
    }
}
