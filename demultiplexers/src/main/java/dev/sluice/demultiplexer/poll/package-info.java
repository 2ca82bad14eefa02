/**
 * {@code poll}: available on every Unix, for any number of handles, at a cost that grows with that number; and
 * {@code wsapoll}, its counterpart on Windows.
 *
 * <p>Before version 2004 of Windows 10, {@code WSAPoll} did not report a failed connection attempt: a handle that waits
 * for the outcome is never ready. On such a version, use one of the other demultiplexers.
 */
@NullMarked
package dev.sluice.demultiplexer.poll;

import org.jspecify.annotations.NullMarked;
