/** {@code select}: on every Unix, descriptors below {@code FD_SETSIZE} (1024) only. */
package dev.sluice.demultiplexers.select;
