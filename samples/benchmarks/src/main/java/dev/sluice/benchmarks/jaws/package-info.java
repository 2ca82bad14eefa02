/** The experiment of the paper on JAWS: one web server under each concurrency strategy, asked for files. */
package dev.sluice.benchmarks.jaws;
