/** The number of threads that a stage needs if its events block: Little's law, figure 14 of the paper. */
package dev.sluice.benchmarks.seda.little;
