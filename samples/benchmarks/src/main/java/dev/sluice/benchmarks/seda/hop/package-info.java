/** What it costs to pass events from stage to stage. */
package dev.sluice.benchmarks.seda.hop;
