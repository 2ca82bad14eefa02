package dev.sluice.demultiplexers.iouring;

import dev.sluice.demultiplexers.operation.ProvidedBuffers;

/**
 * How large the queues of an {@link IoUringDemultiplexer} are.
 *
 * @param submissions     entries of the submission queue: operations that one system call starts
 * @param completions     entries of the completion queue, not fewer; what comes beyond takes the kernel longer
 * @param providedBuffers for continuous receives
 */
public record IoUringSize(int submissions, int completions, ProvidedBuffers.Size providedBuffers) {

    /** What suits a server with thousands of connections: 64 KiB and 128 KiB of queues. */
    public static final IoUringSize DEFAULT = new IoUringSize(1024, 8192, ProvidedBuffers.Size.DEFAULT);
}
