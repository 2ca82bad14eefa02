/** Small pages beside large ones, with the replies of Haboob in order of their size and without. */
package dev.sluice.benchmarks.seda.sizes;
