package dev.sluice.samples.adaptation;

import dev.sluice.samples.conversation.ConcurrencyStrategy;
import java.util.Locale;

/**
 * Another concurrency strategy on trial, by turns with the one that is kept. Immutable.
 *
 * @param strategy  the other one
 * @param measured  what was done without it and with it
 * @param unsettled the number of consecutive samples in which connections had still to move
 * @param idle      the number of consecutive samples with too little work
 * @param moving    how many connections had to move at the last sample
 */
record StrategyTrial(ConcurrencyStrategy strategy, Alternation measured, int unsettled, int idle, int moving) {

    private static final int MIN_COUNTED = 3;
    private static final int MAX_COUNTED = 16;
    /** Connections move between two replies; a thread that waits for a silent client lets its connection move later. */
    private static final int MAX_UNSETTLED = 20;
    private static final int MAX_IDLE = 3;

    /**
     * {@return a trial that begins with the strategy that is kept}
     *
     * @param strategy the other one
     * @param now      the last sample: a round is long enough for replies that take as long as these
     */
    static StrategyTrial of(ConcurrencyStrategy strategy, Window now) {
        int counted = (int) Math.ceil(Math.min(MAX_COUNTED, MIN_COUNTED * now.samplesPerReply()));
        return new StrategyTrial(strategy, Alternation.of(Math.max(MIN_COUNTED, counted)), 0, 0, 0);
    }

    /** {@return the next state, after a sample} A sample counts from when the connections have moved. */
    StrategyTrial next(Window now, StrategyLoad load) {
        if (!now.isConclusive()) {
            return new StrategyTrial(strategy, measured, unsettled, idle + 1, load.staying());
        }
        if (measured.isAtBeginning() && !load.isSettled()) {
            return new StrategyTrial(strategy, measured, unsettled + 1, 0, load.staying());
        }
        return new StrategyTrial(strategy, measured.next(now.rate()), 0, 0, load.staying());
    }

    /** {@return whether the other strategy is to be active until the next sample} */
    boolean isInForce() {
        return !isOver() && measured.isInForce();
    }

    /** {@return whether there is nothing more to measure} */
    boolean isOver() {
        return measured.isOver() || measured.isHopeless() || isAbandoned();
    }

    private boolean isAbandoned() {
        return unsettled > measured.counted() + MAX_UNSETTLED || idle == MAX_IDLE;
    }

    /** {@return whether the other strategy is clearly better} */
    boolean pays() {
        return measured.isOver() && measured.rate() > 0 && measured.pays();
    }

    /** {@return the result in words, without a comma; of a trial that is over} */
    String outcome() {
        if (idle == MAX_IDLE) {
            return strategy + ": no result as there is too little to do";
        } else if (isAbandoned()) {
            return strategy + ": no result as " + moving + " connections have not moved";
        }
        return String.format(Locale.ROOT, "%s has %.2f times the throughput", strategy, measured.gain());
    }
}
