/**
 * 1024 clients that request a page beyond the capacity of the server, and servers that shed load: figure 13 of the
 * paper.
 */
package dev.sluice.benchmarks.seda.shedding;
