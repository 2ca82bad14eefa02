/** The command line of the samples: one command for each sample, and how its failures are told. */
package dev.sluice.samples;
