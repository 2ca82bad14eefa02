/**
 * {@code io_uring}: two queues in memory shared with the kernel, one for requests and one for completions, and one
 * system call that submits all of the former and waits for the latter.
 *
 * <p>{@link dev.sluice.demultiplexer.iouring.Ring} is the mechanism, using the raw system calls. The features of the
 * running kernel are determined by asking it ({@link dev.sluice.demultiplexer.iouring.Features}), never from its
 * version. Three demultiplexers use it:
 * <ul>
 * <li>{@link dev.sluice.demultiplexer.iouring.IoUringDemultiplexer}, the asynchronous one, lets the kernel execute
 *     operations. It belongs to one loop thread, and so does its ring: a kernel that supports it defers its work to the
 *     waits of that thread ({@code IORING_SETUP_DEFER_TASKRUN}). Each kind of operation has a class that executes it, a
 *     subclass of {@link dev.sluice.demultiplexer.iouring.Request}, which
 *     {@link dev.sluice.demultiplexer.iouring.Kinds} chooses by the features of the kernel.
 * <li>{@link dev.sluice.demultiplexer.iouring.MultiThreadedIoUringDemultiplexer} executes the same requests for threads
 *     that share a ring, which has none of these modes. One of them waits in the kernel, so a completion wakes up one
 *     thread. A ring for each thread could use the modes. But the completions of a thread whose hook computes would
 *     wait for it, because no other thread may enter its ring; and the operations of a thread that terminates would
 *     have to be cancelled and started again in another ring, with the buffers that the first ring has chosen.
 * <li>{@link dev.sluice.demultiplexer.iouring.IoUringPollDemultiplexer}, the synchronous one, lets the kernel poll
 *     descriptors. Any thread may wait there, one at a time.
 * </ul>
 *
 * <p>A {@link dev.sluice.demultiplexer.iouring.FileRequest} is an operation on a file or on names. If the kernel has no
 * such request, or the file system refuses it, a thread of a {@link dev.sluice.demultiplexer.operation.FilePool} makes
 * the call.
 *
 * <p>The bytes of a continuous receive are in a buffer that the kernel has chosen from the
 * {@link dev.sluice.demultiplexer.iouring.BufferRing}. A file is sent in the rounds of a
 * {@link dev.sluice.demultiplexer.iouring.TransmitFile}. The kernel may access a buffer as long as the task of the
 * thread that submitted it exists, which is longer than the Java thread does: a
 * {@link dev.sluice.demultiplexer.iouring.KernelTask} reports when the task has ended.
 */
@NullMarked
package dev.sluice.demultiplexer.iouring;

import org.jspecify.annotations.NullMarked;
