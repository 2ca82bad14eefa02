/** What an echo server needs before it does anything: time until it answers, and memory for those who say nothing. */
package dev.sluice.benchmarks.start;
