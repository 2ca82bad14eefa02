/**
 * The report: Markdown that a browser and GitHub show, with charts, made of samples and the suites' sections alone, so
 * that it can be made again, and that the same samples give the same bytes.
 *
 * <p>A {@link dev.sluice.benchmarks.report.Report} has a chapter for each suite, a chapter a table for each section,
 * and a table a chart if its section asks for one: as two files, since a picture in a file does not know whether the
 * page around it is light or dark. Ratios point one way everywhere: above 1 is better than the baseline.
 * Only an {@link dev.sluice.benchmarks.report.Aim} divides by what its target names, since that says itself which
 * direction is good.
 */
package dev.sluice.benchmarks.report;
