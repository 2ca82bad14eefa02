/** TCP echo: the smallest server that is still a real one, and the one that the benchmarks drive. */
package dev.sluice.samples.echo;
