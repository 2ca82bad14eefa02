/**
 * What the suites have in common that measure whole programs: each contestant runs in a Java of its own, so that none
 * is compiled for what another did, and tells the processor time of its whole process.
 */
package dev.sluice.benchmarks.workload;
