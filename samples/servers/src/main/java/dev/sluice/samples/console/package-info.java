/** Shared by commands that print more than a line. */
package dev.sluice.samples.console;
