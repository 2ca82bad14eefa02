/**
 * The benchmarks' command line. Each suite has a package of its own beside this one.
 */
package dev.sluice.benchmarks;
