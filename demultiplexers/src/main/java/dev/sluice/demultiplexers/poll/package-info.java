/** {@code poll}: on every Unix, any number of handles, a cost that grows with their number. */
package dev.sluice.demultiplexers.poll;
