/**
 * {@code io_uring}: two queues in memory shared with the kernel, one for requests and one for completions, and one
 * system call that submits all of the former and waits for the latter.
 *
 * <p>{@link dev.sluice.demultiplexer.iouring.Ring} is the mechanism, using the raw system calls. What the running
 * kernel supports is found out by asking it ({@link dev.sluice.demultiplexer.iouring.Features}), never from its
 * version. Three demultiplexers use it:
 * <ul>
 * <li>{@link dev.sluice.demultiplexer.iouring.IoUringDemultiplexer}, the asynchronous one, lets the kernel execute
 *     operations. It belongs to one loop thread, and so does its ring: a kernel that can do so defers its work to that
 *     thread's waits ({@code IORING_SETUP_DEFER_TASKRUN}). What each kind of operation asks of the kernel, and what the
 *     answers mean, is in a class of its own, a subclass of {@link dev.sluice.demultiplexer.iouring.Request};
 *     {@link dev.sluice.demultiplexer.iouring.Kinds} chooses it by what the kernel can do.
 * <li>{@link dev.sluice.demultiplexer.iouring.MultiThreadedIoUringDemultiplexer} executes the same requests for threads
 *     that share a ring, which has none of these modes. One of them waits in the kernel, so a completion wakes one
 *     thread. With a ring for each thread, which would keep the modes, the completions of a thread whose hook computes
 *     would wait for it, since no other may enter its ring; and what a thread that ends has in flight would have to be
 *     cancelled and started again in another ring, with the buffers that its own has chosen.
 * <li>{@link dev.sluice.demultiplexer.iouring.IoUringPollDemultiplexer}, the synchronous one, lets the kernel poll
 *     descriptors. Any thread may wait there, one at a time.
 * </ul>
 *
 * <p>The bytes of a continuous receive are in a buffer that the kernel has chosen from the
 * {@link dev.sluice.demultiplexer.iouring.BufferRing}. A file gets to a socket in the rounds of a
 * {@link dev.sluice.demultiplexer.iouring.TransmitFile}. The kernel may touch a buffer for as long as the thread that
 * submitted it exists in the kernel's view, which is longer than in Java's: a
 * {@link dev.sluice.demultiplexer.iouring.KernelTask} reports when it has ended.
 */
package dev.sluice.demultiplexer.iouring;
