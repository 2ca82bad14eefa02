/**
 * A load generator that stands on Sluice: a process of its own with one thread, which keeps connections busy in a
 * closed loop and checks every byte that comes back. {@link dev.sluice.benchmarks.load.LoadGenerator} is the side of
 * the suites, {@link dev.sluice.benchmarks.load.LoadMain} the process.
 */
package dev.sluice.benchmarks.load;
