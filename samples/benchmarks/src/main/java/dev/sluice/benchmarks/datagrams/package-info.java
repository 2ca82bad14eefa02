/** Bursts of datagrams: how many arrive, and the cost of receiving them or sending them back. */
package dev.sluice.benchmarks.datagrams;
