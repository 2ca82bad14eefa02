/** The Gnutella router in an open loop, flat out, and with a neighbour that does not read: figure 14 of the paper. */
package dev.sluice.benchmarks.seda.router;
