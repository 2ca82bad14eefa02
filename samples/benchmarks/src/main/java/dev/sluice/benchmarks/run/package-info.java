/**
 * What every suite of benchmarks is made of, and the one loop that runs them.
 *
 * <p>A {@link dev.sluice.benchmarks.run.Suite} prepares {@link dev.sluice.benchmarks.run.Trial}s: one contestant in
 * one scenario each. A {@link dev.sluice.benchmarks.run.Session} measures all contestants of a scenario one after the
 * other, and that in several rounds, so that whatever changes on the machine meanwhile meets all of them. Each
 * {@link dev.sluice.benchmarks.run.Sample} goes to a file as soon as it is there.
 */
package dev.sluice.benchmarks.run;
