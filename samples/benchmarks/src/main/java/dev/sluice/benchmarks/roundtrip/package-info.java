/** The way of one message to a server and back: one client and one echo server in one Java, over loopback. */
package dev.sluice.benchmarks.roundtrip;
