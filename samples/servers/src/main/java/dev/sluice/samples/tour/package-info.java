/**
 * {@code ./sluice tour}: a minute that shows what works on this machine, and how fast it is beside {@code java.nio}. An
 * impression, not a benchmark: {@code ./sluice bench} measures.
 */
package dev.sluice.samples.tour;
