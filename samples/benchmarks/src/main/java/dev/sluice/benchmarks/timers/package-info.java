/** What timers cost, by how many of them are pending. */
package dev.sluice.benchmarks.timers;
