/** Many tasks at once: a thread for each, beside one stage for all. Figures 2 and 4 of the paper. */
package dev.sluice.benchmarks.seda.threads;
