package dev.sluice.samples.adaptation;

import dev.sluice.samples.io.FileIo;

/**
 * A state of how the files of one class of sizes travel, and of when another way is tried. Immutable.
 *
 * @param usual   the way that is configured
 * @param kept    the way that is in force when nothing is tried
 * @param pause   how many samples with such files there are between two trials
 * @param left    how many of them are left
 * @param rate    how much was done with the kept way when it was tried last, in octets per second; 0 if it has not been
 * @param changed for how many samples in a row it was much more or much less
 */
record ClassAdaptation(FileIo usual, FileIo kept, int pause, int left, double rate, int changed) {

    /** A trial has at most eight samples of other ways: in the end, the pauses make that less than 2 %. */
    private static final int SHORTEST_PAUSE = 100;
    private static final int LONGEST_PAUSE = 6400;
    /** Where nothing is known, a trial pays at once; but the first sample may have begun before the load did. */
    private static final int FIRST_PAUSE = 2;
    /** What was measured under another load says little: then the pause is over after this part of it. */
    private static final int PART_OF_PAUSE = 4;
    private static final double MUCH = 2;
    private static final int LASTING = 2;

    static ClassAdaptation begin(FileIo usual) {
        return new ClassAdaptation(usual, usual, SHORTEST_PAUSE, FIRST_PAUSE, 0, 0);
    }

    /** {@return the next state, after a sample with such files} */
    ClassAdaptation next(double now) {
        boolean differs = rate > 0 && (now > MUCH * rate || MUCH * now < rate);
        return new ClassAdaptation(usual, kept, pause, Math.max(0, left - 1), rate, differs ? changed + 1 : 0);
    }

    /** {@return whether other ways are to be tried} */
    boolean isDue() {
        return left == 0 || changed >= LASTING && left <= pause - pause / PART_OF_PAUSE;
    }

    /** {@return the next state, after a trial: the more often nothing comes of it, the rarer the next ones are} */
    ClassAdaptation tried(Trial trial) {
        FileIo next = trial.isOver() ? trial.verdict(usual) : kept;
        int longer = next == kept && rate > 0 ? Math.min(2 * pause, LONGEST_PAUSE) : SHORTEST_PAUSE;
        return new ClassAdaptation(usual, next, longer, longer, trial.firstRate(), 0);
    }

    /** {@return the same, except that the kept way is the usual one again} */
    ClassAdaptation reset() {
        return new ClassAdaptation(usual, usual, pause, left, rate, changed);
    }
}
