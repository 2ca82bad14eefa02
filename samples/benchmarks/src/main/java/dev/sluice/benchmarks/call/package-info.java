/** The cost of a call of C from Java, by the available APIs. */
package dev.sluice.benchmarks.call;
