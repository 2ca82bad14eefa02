/** Tells what machine this is, what works on it, and why the rest does not. */
package dev.sluice.samples.doctor;
