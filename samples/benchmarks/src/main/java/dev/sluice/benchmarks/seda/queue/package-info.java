/** The queue of the router stage over time, where queries block: figure 14c of the paper. */
package dev.sluice.benchmarks.seda.queue;
