/** Connections for a single request each. */
package dev.sluice.benchmarks.churn;
