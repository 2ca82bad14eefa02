/** The batching controller on a stage whose cost per batch oscillates: figure 9 of the paper. */
package dev.sluice.benchmarks.seda.batching;
