/** What it costs to call C from Java, by the ways there are. */
package dev.sluice.benchmarks.call;
