package dev.sluice.samples.adaptation;

import dev.sluice.samples.io.FileIo;

/**
 * A state of how the files of one class of sizes travel, and of when another way is tried. Immutable.
 *
 * @param usual   the way that is configured
 * @param kept    the way that is in force when nothing is tried
 * @param length  how many samples each way is tried for at a time
 * @param pause   how many times as many with such files there are between two trials
 * @param left    how many of them are left
 * @param rate    how much was done with the kept way when it was tried last, in octets per second; 0 if it has not been
 * @param changed for how many samples in a row it was much more or much less
 */
record ClassAdaptation(FileIo usual, FileIo kept, int length, int pause, int left, double rate, int changed) {

    /** A trial has at most eight samples of other ways: in the end, the pauses make that less than 2 %. */
    private static final int SHORTEST_PAUSE = 100;
    private static final int LONGEST_PAUSE = 6400;
    /** Where nothing is known, a trial pays at once; but the first sample may have begun before the load did. */
    private static final int FIRST_PAUSE = 2;
    /** What was measured under another load says little: then the pause is over after this part of it. */
    private static final int PART_OF_PAUSE = 4;
    /** With windows of so many samples, what is still unclear makes no difference worth finding out. */
    private static final int LONGEST = 16;
    private static final double MUCH = 2;
    private static final int LASTING = 2;

    static ClassAdaptation begin(FileIo usual) {
        return new ClassAdaptation(usual, usual, 1, SHORTEST_PAUSE, FIRST_PAUSE, 0, 0);
    }

    /** {@return the next state, after a sample with such files} */
    ClassAdaptation next(double now) {
        boolean differs = rate > 0 && (now > MUCH * rate || MUCH * now < rate);
        return new ClassAdaptation(usual, kept, length, pause, Math.max(0, left - 1), rate, differs ? changed + 1 : 0);
    }

    /** {@return whether other ways are to be tried} */
    boolean isDue() {
        return left == 0 || changed >= LASTING && left <= length * (pause - pause / PART_OF_PAUSE);
    }

    /**
     * {@return the next state, after a trial: the more often nothing comes of it, the rarer the next ones are; one that
     * has told nothing is repeated with more time}
     */
    ClassAdaptation tried(Trial trial) {
        FileIo next = trial.isOver() ? trial.verdict(usual) : kept;
        if (trial.isOver() && length < LONGEST && trial.isUnclear(usual)) {
            return new ClassAdaptation(usual, next, 2 * length, SHORTEST_PAUSE, FIRST_PAUSE, trial.firstRate(), 0);
        }
        int longer = next == kept && rate > 0 ? Math.min(2 * pause, LONGEST_PAUSE) : SHORTEST_PAUSE;
        return new ClassAdaptation(usual, next, length, longer, length * longer, trial.firstRate(), 0);
    }

    /** {@return the same, except that the kept way is the usual one again} */
    ClassAdaptation reset() {
        return new ClassAdaptation(usual, usual, length, pause, left, rate, changed);
    }
}
