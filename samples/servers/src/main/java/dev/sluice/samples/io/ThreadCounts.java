package dev.sluice.samples.io;

import dev.sluice.samples.conversation.ConcurrencyStrategy;

/**
 * How many threads the ports of a server have, where the clients do not decide.
 *
 * @param first  at the first port
 * @param others at each other port that has a pool; null for as many as its strategy usually has
 */
public record ThreadCounts(int first, Integer others) {

    /** {@return how many there are to be at another port, which has a pool} */
    int other(ConcurrencyStrategy concurrency) {
        return others == null ? concurrency.defaultThreads() : others;
    }
}
