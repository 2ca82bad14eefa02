/** Connections that are made for one request each. */
package dev.sluice.benchmarks.churn;
