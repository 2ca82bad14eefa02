/** Handing tasks to an event loop from other threads. */
package dev.sluice.benchmarks.wakeup;
