/**
 * {@code io_uring}: two queues in memory that the kernel shares, one for what is asked and one for what has happened,
 * and one system call that submits all of the first and waits for the second.
 *
 * <p>{@link dev.sluice.mechanism.iouring.Ring} is the mechanism, by the raw system calls. What the running kernel
 * has is found out by asking it ({@link dev.sluice.mechanism.iouring.Features}), never from its version. Two
 * demultiplexers use it:
 * <ul>
 * <li>{@link dev.sluice.mechanism.iouring.IoUringDemultiplexer}, the asynchronous one, has the kernel execute
 *     operations. It belongs to one loop thread, and so does its ring: where the kernel can, it leaves its work to that
 *     thread's waits ({@code IORING_SETUP_DEFER_TASKRUN}). What each kind of operation asks of the kernel, and what the
 *     answers mean, stands in one class for each, the subclasses of {@link
 *     dev.sluice.mechanism.iouring.Request}; {@link dev.sluice.mechanism.iouring.Requests} chooses them by
 *     what the kernel can do.
 * <li>{@link dev.sluice.mechanism.iouring.IoUringPollDemultiplexer}, the synchronous one, has it poll descriptors.
 *     Any thread may wait there, one at a time.
 * </ul>
 *
 * <p>What a continuous receive brings lies in a buffer that the kernel has chosen from the {@link
 * dev.sluice.mechanism.iouring.BufferRing}. A file on its way to a socket takes the turns of a {@link
 * dev.sluice.mechanism.iouring.Transmission}. The kernel may touch a buffer for as long as the thread that has
 * submitted it exists for the kernel, which is longer than for Java: a {@link
 * dev.sluice.mechanism.iouring.KernelTask} tells when that is over.
 */
package dev.sluice.mechanism.iouring;
