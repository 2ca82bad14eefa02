/**
 * What every test of every module shares: how deep a run goes, and the ledger that its cost is written to.
 *
 * <p>A test runs on the values of an axis (binding, mechanism, strategy, repetition, process) that its assertion can
 * tell apart, and on one value of each other axis. {@link dev.sluice.testing.Depth} is how a test says so.
 */
package dev.sluice.testing;
