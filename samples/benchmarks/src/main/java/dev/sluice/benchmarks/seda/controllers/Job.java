package dev.sluice.benchmarks.seda.controllers;

/**
 * What passes the stages.
 *
 * @param due     when it was to come, by {@link System#nanoTime()}
 * @param counted whether it belongs to the time that is measured
 */
record Job(long due, boolean counted) {
}
