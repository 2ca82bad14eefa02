package dev.sluice.samples.adaptation;

import dev.sluice.samples.conversation.ConcurrencyStrategy;
import java.util.List;

/**
 * A state of an adaptive concurrency strategy: the strategy that is kept, and the running trial of another one.
 * Immutable; the next state depends only on this one, on a sample and on the connections.
 *
 * <p>The strategies are tried one after the other, each by turns with the kept one, and one is kept instead only if it
 * is clearly better in each round. The more often nothing comes of it, the rarer trials become, until the load differs
 * from what it was at the last one.
 *
 * @param candidates the strategies that may be chosen, in the order in which they are tried
 * @param kept       the strategy that serves when no other is being tried
 * @param trial      of another one; null if there is none
 * @param place      the number of the candidate that is tried next
 * @param starved    since when connections wait for threads that clients hold
 * @param pause      the number of samples with work between the trials of all candidates and the next ones
 * @param left       how many of them are left
 * @param baseline   what was done without the candidate when one was tried last
 * @param reason     what the last sample has led to, in words without a comma; empty if nothing
 */
public record StrategyAdaptation(List<ConcurrencyStrategy> candidates, ConcurrencyStrategy kept, StrategyTrial trial,
                                 int place, Row starved, int pause, int left, Baseline baseline, String reason) {

    /** Of a server whose strategy stays. */
    public static final StrategyAdaptation NONE = begin(List.of(), null);

    /** Between two candidates, and before the first one: the first sample may have begun before the load did. */
    private static final int SHORT_PAUSE = 2;
    private static final int SHORTEST_PAUSE = 40;
    private static final int LONGEST_PAUSE = 2560;
    /** Number of samples for which another load has to last before earlier results no longer count. */
    private static final int LASTING = 5;

    /** Copies the list. */
    public StrategyAdaptation {
        candidates = List.copyOf(candidates);
    }

    /**
     * Returns the first state.
     *
     * @param candidates the strategies that may be chosen
     * @param first      the strategy that serves
     * @return the state
     */
    public static StrategyAdaptation begin(List<ConcurrencyStrategy> candidates, ConcurrencyStrategy first) {
        return new StrategyAdaptation(candidates, first, null, 0, Row.NONE, SHORTEST_PAUSE, SHORT_PAUSE, Baseline.NONE,
                "");
    }

    /** {@return whether another strategy is on trial} */
    public boolean isOnTrial() {
        return trial != null;
    }

    /** {@return the strategy that is to serve until the next sample: the kept one, or the one on trial} */
    public ConcurrencyStrategy inForce() {
        return isOnTrial() && trial.isInForce() ? trial.strategy() : kept;
    }

    /** {@return the strategy that is being tried by turns with the kept one, empty if there is none} */
    public String tried() {
        return isOnTrial() ? trial.strategy().toString() : "";
    }

    /**
     * Processes a sample.
     *
     * @param sample of the time in which {@link #inForce()} was the current strategy
     * @param load   the connections at its end
     * @param free   whether a trial may begin: one that is due waits until then
     * @return the next state
     */
    StrategyAdaptation next(LoadSample sample, StrategyLoad load, boolean free) {
        if (candidates.isEmpty()) {
            return this;
        }
        if (load.strategy() != inForce()) {
            return begin(candidates, load.strategy()).because("changed to " + load.strategy()
                    + " at the control address");
        }
        Window window = Window.of(sample);
        if (isOnTrial()) {
            return goOn(trial.next(window, load), load);
        }
        Row row = starved.next(load.isStarved() ? 1 : 0);
        if (row.isDue()) {
            return relieved(load);
        }
        if (!window.isConclusive()) {
            return with(row, left, baseline);
        }
        Baseline base = baseline.next(window.rate());
        if (base.isOutdated(LASTING)) {
            return new StrategyAdaptation(candidates, kept, null, place, row, SHORTEST_PAUSE, 0, Baseline.NONE, "");
        }
        StrategyAdaptation next = with(row, Math.max(0, left - 1), base);
        return next.left == 0 && free && load.staying() == 0 ? next.tryNext(window, load) : next;
    }

    private StrategyAdaptation goOn(StrategyTrial next, StrategyLoad load) {
        if (!next.isOver()) {
            return new StrategyAdaptation(candidates, kept, next, place, Row.NONE, pause, left, baseline, "");
        }
        String outcome = next.outcome();
        if (next.pays()) {
            return new StrategyAdaptation(candidates, next.strategy(), null, place, Row.NONE, SHORTEST_PAUSE,
                    SHORT_PAUSE, Baseline.NONE, outcome + " of " + kept + ": changes to it");
        }
        boolean all = place == 0 || candidates.subList(place, candidates.size()).stream()
                .noneMatch(each -> each != kept && load.suits(each));
        return new StrategyAdaptation(candidates, kept, null, place, Row.NONE,
                all ? Math.min(2 * pause, LONGEST_PAUSE) : pause, all ? pause : SHORT_PAUSE,
                Baseline.of(next.measured().rate()), outcome + ": " + kept + " stays");
    }

    private StrategyAdaptation tryNext(Window window, StrategyLoad load) {
        for (int i = 0; i < candidates.size(); i++) {
            int number = (place + i) % candidates.size();
            ConcurrencyStrategy candidate = candidates.get(number);
            if (candidate != kept && load.suits(candidate)) {
                return new StrategyAdaptation(candidates, kept, StrategyTrial.of(candidate, window),
                        (number + 1) % candidates.size(), starved, pause, left, baseline, "tries " + candidate);
            }
        }
        return this;
    }

    /** Returns the state in which the first strategy serves that lets no connection wait; this one if there is none. */
    private StrategyAdaptation relieved(StrategyLoad load) {
        return candidates.stream().filter(each -> each != kept && load.suits(each)).findFirst()
                .map(each -> begin(candidates, each).because(load.connections() + " connections for " + load.threads()
                        + " threads: changes to " + each))
                .orElseGet(() -> with(Row.NONE, left, baseline));
    }

    /**
     * {@return the state after a change has been refused: the strategy that was to come is no candidate any more}
     *
     * @param current the strategy that serves
     */
    public StrategyAdaptation refused(ConcurrencyStrategy current) {
        ConcurrencyStrategy refused = inForce();
        return begin(candidates.stream().filter(each -> each != refused).toList(), current)
                .because(refused + " is refused");
    }

    /** {@return the state without a trial, for a server whose strategy is to stay from now on} */
    public StrategyAdaptation ended() {
        return begin(List.of(), kept);
    }

    private StrategyAdaptation with(Row row, int rest, Baseline base) {
        return new StrategyAdaptation(candidates, kept, null, place, row, pause, rest, base, "");
    }

    private StrategyAdaptation because(String text) {
        return new StrategyAdaptation(candidates, kept, trial, place, starved, pause, left, baseline, text);
    }
}
