/** Blocks of a file at random places, read and written by the ways there are. */
package dev.sluice.benchmarks.file;
