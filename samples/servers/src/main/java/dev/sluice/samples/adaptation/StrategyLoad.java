package dev.sluice.samples.adaptation;

import dev.sluice.samples.conversation.ConcurrencyStrategy;

/**
 * The connections of a server whose concurrency strategy changes, at the moment of a sample.
 *
 * @param strategy    the current strategy
 * @param threads     the number of its threads; 0 if it depends on the clients
 * @param connections the number of all open connections
 * @param staying     those of them that earlier strategies still serve
 */
public record StrategyLoad(ConcurrencyStrategy strategy, int threads, int connections, int staying) {

    /** Of a server whose strategy stays. */
    public static final StrategyLoad NONE = new StrategyLoad(null, 0, 0, 0);

    private static final int SETTLED_SHARE = 10;

    /** {@return whether nearly all connections have moved to the current strategy} */
    boolean isSettled() {
        return SETTLED_SHARE * staying <= connections;
    }

    /** {@return whether connections wait because a client holds each thread} */
    boolean isStarved() {
        return strategy.isHeldByClients() && connections > threads;
    }

    /** {@return whether a strategy could serve all connections at the same time} */
    boolean suits(ConcurrencyStrategy other) {
        return !other.isHeldByClients() || connections <= other.defaultThreads();
    }
}
