/**
 * {@code io_uring}: two queues in memory that the kernel shares, one for what is asked and one for what has happened,
 * and one system call that submits all of the first and waits for the second.
 *
 * <p>{@link dev.sluice.demultiplexers.iouring.Ring} is the mechanism, by the raw system calls. What the running kernel
 * has is found out by asking it, never from its version. On it there are an asynchronous demultiplexer,
 * {@link dev.sluice.demultiplexers.iouring.IoUringDemultiplexer}, and a synchronous one,
 * {@link dev.sluice.demultiplexers.iouring.IoUringPollDemultiplexer}.
 *
 * <p>What each kind of operation asks of the kernel, and what the answers mean, stands in one class for each, the
 * subclasses of {@link dev.sluice.demultiplexers.iouring.Request}; {@link dev.sluice.demultiplexers.iouring.Requests}
 * chooses them by what the kernel can do.
 */
package dev.sluice.demultiplexers.iouring;
