/** The report: Markdown that a browser and GitHub show, with charts, made of samples and the suites' sections alone. */
package dev.sluice.benchmarks.report;
