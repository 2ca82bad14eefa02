/** Bursts of datagrams: how many arrive, and what they cost who receives them. */
package dev.sluice.benchmarks.datagrams;
