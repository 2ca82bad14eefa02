/** Many connections that send bursts of packets: figure 11 of the paper. */
package dev.sluice.benchmarks.seda.sockets;
