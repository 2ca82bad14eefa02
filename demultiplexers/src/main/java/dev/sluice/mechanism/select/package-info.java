/**
 * {@code select}, which two kinds of systems have. On Unix its sets are bits, for descriptors below {@code FD_SETSIZE}
 * (1024) only; on Windows they are arrays of sockets, of any length.
 */
package dev.sluice.mechanism.select;
