/**
 * Operations on handles for demultiplexers, loops and pools: use of the descriptor, listeners for the close, and
 * handles for descriptors that the system has opened. Not exported to programs.
 */
package dev.sluice.handle.spi;
