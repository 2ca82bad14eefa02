/** Whole echo servers beside each other, each in a process of its own. */
package dev.sluice.benchmarks.servers;
