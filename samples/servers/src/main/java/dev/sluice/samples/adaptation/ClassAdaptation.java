package dev.sluice.samples.adaptation;

import dev.sluice.samples.io.FileIo;

/**
 * A state of the ways to send files of one class of sizes, and of the schedule of trials. Immutable.
 *
 * @param usual    the way that is configured
 * @param kept     the way that is used when no other is being tried
 * @param length   the number of samples that each way is tried for at a time
 * @param pause    how many windows of that length, with such files, lie between two trials
 * @param left     the number of samples with such files that are left of that
 * @param baseline what was done with the kept way when it was tried last
 */
record ClassAdaptation(FileIo usual, FileIo kept, int length, int pause, int left, Baseline baseline) {

    private static final int SHORTEST_PAUSE = 100;
    /**
     * In samples. A trial has at most eight turns of other ways, of one sample to {@link #LONGEST} and one that tells
     * nothing: in the end, the pauses make that about 2 %.
     */
    private static final int LONGEST_PAUSE = 6400;
    /** The first trial pays immediately; but the first sample may have begun before the load did. */
    private static final int FIRST_PAUSE = 2;
    /** Results measured under another load may not hold: the pause then ends after this part of it. */
    private static final int PART_OF_PAUSE = 4;
    /**
     * The maximum number of samples in a window. A result that is still unclear then leads to another trial, not to a
     * longer window.
     */
    private static final int LONGEST = 32;
    /** Large files of many clients end at nearly the same time: fewer replies than this are a matter of chance. */
    private static final int REPLIES_ONE_AFTER_THE_OTHER = 3;
    /** Number of samples for which another load has to last. */
    private static final int LASTING = 2;

    static ClassAdaptation begin(FileIo usual) {
        return new ClassAdaptation(usual, usual, 1, SHORTEST_PAUSE, FIRST_PAUSE, Baseline.NONE);
    }

    /** {@return the next state, after a sample with such files} */
    ClassAdaptation next(Window now) {
        return new ClassAdaptation(usual, kept, length, pause, Math.max(0, left - 1),
                baseline.next(now.rate(), now.requestsAtOnce()));
    }

    /** {@return the same, except that each way is tried for long enough for replies that take as long as these} */
    ClassAdaptation lengthened(Window now) {
        double minimum = Math.min(LONGEST, REPLIES_ONE_AFTER_THE_OTHER * now.samplesPerReply());
        return new ClassAdaptation(usual, kept, Math.max(length, (int) Math.ceil(minimum)), pause, left, baseline);
    }

    /** {@return whether other ways are to be tried} */
    boolean isDue() {
        int all = samples(length, pause);
        return left == 0 || baseline.isOutdated(LASTING) && left <= all - all / PART_OF_PAUSE;
    }

    private static int samples(int length, int pause) {
        return Math.min(length * pause, LONGEST_PAUSE);
    }

    /**
     * {@return the next state, after a trial: the more often nothing comes of it, the rarer the next ones are; an
     * inconclusive one is repeated with more time}
     */
    ClassAdaptation tried(Trial trial) {
        FileIo next = trial.isOver() ? trial.verdict(usual) : kept;
        Baseline measured = Baseline.of(trial.firstRate(), trial.firstRequests());
        boolean unclear = trial.isOver() && trial.isUnclear(usual);
        if (unclear && length < LONGEST) {
            return new ClassAdaptation(usual, next, 2 * length, SHORTEST_PAUSE, FIRST_PAUSE, measured);
        }
        boolean lengthens = next == kept && baseline.isKnown() && !unclear;
        int longer = lengthens ? Math.min(2 * pause, LONGEST_PAUSE) : SHORTEST_PAUSE;
        // The length is kept: with shorter windows, chance could undo the result.
        return new ClassAdaptation(usual, next, length, longer, samples(length, longer), measured);
    }

    /** {@return the same, except that the kept way is the usual one again} */
    ClassAdaptation reset() {
        return new ClassAdaptation(usual, usual, length, pause, left, baseline);
    }
}
