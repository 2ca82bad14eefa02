/** The time until an echo server answers for the first time, and its memory for idle connections. */
package dev.sluice.benchmarks.start;
