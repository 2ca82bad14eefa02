/** The cost of waiting for ready handles, and its growth with the number of handles. */
package dev.sluice.benchmarks.waiting;
