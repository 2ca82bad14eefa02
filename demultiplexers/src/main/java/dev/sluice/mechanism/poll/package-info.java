/**
 * {@code poll}: on every Unix, any number of handles, a cost that grows with their number; and {@code wsapoll}, which
 * is its like on Windows.
 *
 * <p>Before version 2004 of Windows 10, {@code WSAPoll} did not report an attempt to connect that failed: a handle that
 * waits for that alone is never ready. Where such a Windows matters, the other demultiplexers are there.
 */
package dev.sluice.mechanism.poll;
