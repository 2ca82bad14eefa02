package dev.sluice.samples.web;

import dev.sluice.samples.conversation.ConcurrencyStrategy;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * What a client of the control address has chosen.
 *
 * @param strategy the strategy
 * @param threads  how many, if there is a choice
 */
record StrategyChoice(ConcurrencyStrategy strategy, int threads) {

    private static final int MAX_THREADS = 1024;

    /**
     * Reads the name of a strategy, and how many threads it is to have if that is given.
     *
     * @throws IllegalArgumentException if there is no such strategy here, or it cannot have this number of threads
     */
    static StrategyChoice parse(String text) {
        String[] words = text.split("\\s+");
        ConcurrencyStrategy strategy = Arrays.stream(ConcurrencyStrategy.values())
                .filter(each -> each.toString().equals(words[0])).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no strategy '" + words[0] + "', but "
                        + Arrays.stream(ConcurrencyStrategy.values()).map(Object::toString)
                                .collect(Collectors.joining(", "))));
        if (strategy.unavailable() != null) {
            throw new IllegalArgumentException(strategy + " " + strategy.unavailable());
        }
        return new StrategyChoice(strategy, words.length == 1 ? strategy.defaultThreads() : threads(strategy, words));
    }

    private static int threads(ConcurrencyStrategy strategy, String[] words) {
        if (strategy.defaultThreads() == 0) {
            throw new IllegalArgumentException("with " + strategy + " the clients decide how many threads there are");
        }
        int threads;
        try {
            threads = words.length > 2 ? 0 : Integer.parseInt(words[1]);
        } catch (NumberFormatException e) {
            threads = 0;
        }
        if (threads < 1 || threads > MAX_THREADS) {
            throw new IllegalArgumentException("threads must be a number from 1 to " + MAX_THREADS);
        }
        return threads;
    }
}
