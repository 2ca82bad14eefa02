/** What the batching controller makes of a stage whose batches cost now more, now less: figure 9 of the paper. */
package dev.sluice.benchmarks.seda.batching;
