/** Stages beside virtual threads, under an open loop of up to four times the load that a server can serve. */
package dev.sluice.benchmarks.seda.today;
