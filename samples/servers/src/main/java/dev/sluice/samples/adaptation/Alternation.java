package dev.sluice.samples.adaptation;

/**
 * Throughput without a change and with it, measured by turns, so that a changing load affects both. Immutable.
 *
 * @param counted    the number of samples that count in a round
 * @param samples    the number of samples so far
 * @param roundSum   what has been done in this round so far, in octets per second and for all its samples together
 * @param without    what was done in all rounds without the change
 * @param maxWithout the maximum of these
 * @param with       what was done in all rounds with it
 * @param minWith    the minimum of these
 */
record Alternation(int counted, int samples, double roundSum, double without, double maxWithout, double with,
                   double minWith) {

    /**
     * One with the change for each without: if it makes no difference, all of the former are ahead once in seventy
     * times.
     */
    private static final int ROUNDS = 8;
    /** Less is chance, or not worth the change. */
    private static final double CLEARLY_MORE = 1.05;
    /** Further rounds would cost more than they could show. */
    private static final double CLEARLY_LESS = 0.8;

    /**
     * {@return a measurement that begins without the change}
     *
     * @param counted the number of samples that count in a round: the load varies from one to the next
     */
    static Alternation of(int counted) {
        return new Alternation(counted, 0, 0, 0, 0, 0, Double.MAX_VALUE);
    }

    /**
     * {@return the next state, after a sample} In the first sample of a round, the change has yet to take effect.
     *
     * @param rate what has been done since the previous sample, in octets per second
     */
    Alternation next(double rate) {
        int now = samples + 1;
        int place = samples % (counted + 1);
        double sum = place == 0 ? 0 : roundSum + rate;
        if (place < counted) {
            return new Alternation(counted, now, sum, without, maxWithout, with, minWith);
        }
        return isInForce()
                ? new Alternation(counted, now, 0, without, maxWithout, with + sum, Math.min(minWith, sum))
                : new Alternation(counted, now, 0, without + sum, Math.max(maxWithout, sum), with, minWith);
    }

    /** {@return whether the next sample does not count} */
    boolean isAtBeginning() {
        return samples % (counted + 1) == 0;
    }

    /** {@return whether the change is to be active until the next sample} */
    boolean isInForce() {
        return !isOver() && rounds() % 2 == 1;
    }

    private int rounds() {
        return samples / (counted + 1);
    }

    /** {@return whether all rounds are complete} */
    boolean isOver() {
        return rounds() == ROUNDS;
    }

    /** {@return whether the complete pairs of rounds show that much less is done with the change} */
    boolean isHopeless() {
        return isAtBeginning() && samples > 0 && rounds() % 2 == 0 && with < CLEARLY_LESS * without;
    }

    /** {@return whether more is done with the change, in each round; or nothing at all, with it or without} */
    boolean pays() {
        return without == 0 && with == 0 || with >= CLEARLY_MORE * without && minWith > maxWithout;
    }

    /** {@return the throughput without the change, in octets per second; 0 if no round is complete} */
    double rate() {
        int complete = (rounds() + 1) / 2;
        return complete == 0 ? 0 : without / (complete * counted);
    }

    /** {@return what is done with the change as a multiple of what is done without it, after a pair of rounds} */
    double gain() {
        return without == 0 ? 1 : with / without;
    }
}
