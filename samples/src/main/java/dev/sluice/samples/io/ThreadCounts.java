package dev.sluice.samples.io;

/**
 * How many threads the ports of a server have, where the clients do not decide.
 *
 * @param first  at the first port
 * @param others at each other port that has a pool
 */
public record ThreadCounts(int first, int others) {
}
