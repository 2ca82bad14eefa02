/** The moments at which a wake-up can get lost, as tests for jcstress. */
package dev.sluice.demultiplexers.handleset;
