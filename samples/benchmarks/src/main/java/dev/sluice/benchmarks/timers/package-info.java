/** The cost of timers, by the number of pending ones. */
package dev.sluice.benchmarks.timers;
