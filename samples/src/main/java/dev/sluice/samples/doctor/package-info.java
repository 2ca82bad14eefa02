/** Tells what works on this machine, and why the rest does not. */
package dev.sluice.samples.doctor;
