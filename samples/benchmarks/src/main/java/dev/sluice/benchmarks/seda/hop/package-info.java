/** The cost of passing events from stage to stage. */
package dev.sluice.benchmarks.seda.hop;
