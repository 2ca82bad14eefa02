/** What it costs to wait for handles that are ready, and how that grows with the number of handles. */
package dev.sluice.benchmarks.waiting;
