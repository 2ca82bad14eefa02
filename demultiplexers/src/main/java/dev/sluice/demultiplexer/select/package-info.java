/**
 * {@code select}, which exists in two forms. On Unix its sets are bits, only for descriptors below {@code FD_SETSIZE}
 * (1024); on Windows they are arrays of sockets, of any length.
 */
package dev.sluice.demultiplexer.select;
