package dev.sluice.benchmarks.load;

/**
 * A line of the load generator.
 *
 * @param result what was measured, null if it failed
 * @param error  why it failed, null if it did not
 */
record Answer(LoadResult result, String error) {
}
