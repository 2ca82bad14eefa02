/** Shows the machine, which demultiplexers and bindings work on it, and why the others do not. */
package dev.sluice.samples.doctor;
