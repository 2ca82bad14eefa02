/** The command line of the samples: one command for each sample, and the reporting of its failures. */
package dev.sluice.samples;
