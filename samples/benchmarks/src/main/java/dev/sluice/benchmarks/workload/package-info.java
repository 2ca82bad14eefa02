/**
 * Shared by the suites that measure whole programs: each contestant runs in a JVM of its own, so that it is not
 * compiled for the work of another, and reports the processor time of its whole process.
 */
package dev.sluice.benchmarks.workload;
