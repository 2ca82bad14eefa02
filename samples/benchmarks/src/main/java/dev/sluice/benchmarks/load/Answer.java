package dev.sluice.benchmarks.load;

/**
 * A line of output of the load generator.
 *
 * @param result  what was measured of a load, null if it failed, or there was none
 * @param clients what was measured of clients or visitors, null if it failed, or there were none
 * @param packets what was measured of packets, null if it failed, or there were none
 * @param error   why it failed, null if it did not
 */
record Answer(LoadResult result, ClientsResult clients, PacketsResult packets, String error) {
}
