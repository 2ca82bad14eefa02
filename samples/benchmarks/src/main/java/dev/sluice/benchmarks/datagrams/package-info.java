/** Bursts of datagrams: how many arrive, and what they cost who receives them or sends them back. */
package dev.sluice.benchmarks.datagrams;
