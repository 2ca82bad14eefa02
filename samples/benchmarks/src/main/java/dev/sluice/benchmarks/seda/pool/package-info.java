/** Haboob under three periods of bursts, and how its thread pools follow them: figure 8 of the paper. */
package dev.sluice.benchmarks.seda.pool;
