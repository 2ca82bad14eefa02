/** What the suites that run on JMH have in common: a trial is a fork of one benchmark with one set of parameters. */
package dev.sluice.benchmarks.jmh;
