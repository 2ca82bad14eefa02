/** Searches of an index that is larger than the memory, in Sluice's directory for Lucene and in Lucene's own. */
package dev.sluice.benchmarks.lucene;
