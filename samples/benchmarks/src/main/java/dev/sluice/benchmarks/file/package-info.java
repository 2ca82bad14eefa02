/** Blocks of a file at random positions, read and written by the available APIs. */
package dev.sluice.benchmarks.file;
