/**
 * The parts of a suite of benchmarks, and the loop that runs the suites.
 *
 * <p>A {@link dev.sluice.benchmarks.run.Suite} prepares {@link dev.sluice.benchmarks.run.Trial}s: one contestant in one
 * scenario each. A {@link dev.sluice.benchmarks.run.Session} measures all contestants of a scenario one after the
 * other, and that in several rounds, so that changes of the machine in the meantime affect all of them. Each {@link
 * dev.sluice.benchmarks.run.Sample} goes to a file as soon as it is there.
 */
package dev.sluice.benchmarks.run;
