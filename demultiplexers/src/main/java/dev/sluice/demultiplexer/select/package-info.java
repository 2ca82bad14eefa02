/**
 * {@code select}, in its two forms. On Unix its sets are bits, for descriptors below {@code FD_SETSIZE} (1024) only; on
 * Windows its sets are arrays of sockets, of any length.
 */
@NullMarked
package dev.sluice.demultiplexer.select;

import org.jspecify.annotations.NullMarked;
