/**
 * A page that costs more than there is, asked for by 1024 clients, and servers that shed load: figure 13 of the paper.
 */
package dev.sluice.benchmarks.seda.shedding;
