package dev.sluice.demultiplexer.iouring;

import dev.sluice.demultiplexer.operation.IntegerProperty;
import dev.sluice.demultiplexer.operation.ProvidedBuffers;

/**
 * The size of the queues of an {@link IoUringDemultiplexer}, and what counts as a large send.
 *
 * @param submissions     entries of the submission queue: operations that one system call starts
 * @param completions     entries of the completion queue, not fewer than submissions; completions beyond these cost the
 *                        kernel more time
 * @param providedBuffers for continuous receives
 * @param zeroCopyFrom    the smallest number of bytes that is sent without copying, or {@link #NEVER}
 */
public record IoUringSize(int submissions, int completions, ProvidedBuffers.Size providedBuffers, int zeroCopyFrom) {

    /** Every send copies. */
    public static final int NEVER = Integer.MAX_VALUE;

    /**
     * System property with the smallest number of bytes that is sent without copying; by default everything is copied.
     * Without copying, the pages of the buffer are in use until the peer has acknowledged them: the operation completes
     * that much later, and cancelling it, like closing its handle, must reset the connection. It pays from about 100
     * KiB, on a real network; the loopback device copies in any case.
     */
    public static final String ZERO_COPY_PROPERTY = "sluice.io_uring.zero-copy-from";

    /**
     * {@return what suits a server with thousands of connections: 64 KiB and 128 KiB of queues}
     *
     * @throws IllegalArgumentException if {@value #ZERO_COPY_PROPERTY} is not a number of bytes, or as for
     *                                  {@link ProvidedBuffers.Size#configured()}
     */
    public static IoUringSize configured() {
        return configured(ProvidedBuffers.Size.configured());
    }

    /** {@return the same with provided buffers of a certain size} */
    public static IoUringSize configured(ProvidedBuffers.Size providedBuffers) {
        return new IoUringSize(1024, 8192, providedBuffers,
                IntegerProperty.of(ZERO_COPY_PROPERTY, 0, Integer.MAX_VALUE, NEVER));
    }
}
