/**
 * {@code io_uring}: two queues in memory that the kernel shares, one for what is asked and one for what has happened,
 * and one system call that submits all of the first and waits for the second.
 *
 * <p>{@link dev.sluice.demultiplexers.iouring.Ring} is the mechanism, by the raw system calls. What the running kernel
 * has is found out by asking it, never from its version. {@link
 * dev.sluice.demultiplexers.iouring.IoUringPollDemultiplexer} is a synchronous demultiplexer on it.
 */
package dev.sluice.demultiplexers.iouring;
