/** How many threads a stage needs whose events block: Little's law, figure 14 of the paper. */
package dev.sluice.benchmarks.seda.little;
