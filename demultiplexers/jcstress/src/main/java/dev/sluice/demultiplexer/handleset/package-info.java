/** The moments at which a wake-up can get lost or hit a stranger, as tests for jcstress. */
package dev.sluice.demultiplexer.handleset;
