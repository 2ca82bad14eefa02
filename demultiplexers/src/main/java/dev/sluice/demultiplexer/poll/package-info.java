/**
 * {@code poll}: on every Unix, for any number of handles, at a cost that grows with their number; and {@code wsapoll},
 * its counterpart on Windows.
 *
 * <p>Before version 2004 of Windows 10, {@code WSAPoll} did not report that an attempt to connect has failed: a handle
 * that waits only for that is never ready. Where such a Windows matters, use one of the other demultiplexers.
 */
package dev.sluice.demultiplexer.poll;
