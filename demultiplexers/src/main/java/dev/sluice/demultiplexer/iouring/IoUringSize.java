package dev.sluice.demultiplexer.iouring;

import dev.sluice.demultiplexer.operation.IntegerProperty;
import dev.sluice.demultiplexer.operation.ProvidedBuffers;

/**
 * The sizes of the queues and buffers of an io_uring demultiplexer, and of the smallest zero-copy send.
 *
 * @param submissions     the number of entries of the submission queue, which is the number of requests of one system
 *                        call
 * @param completions     the number of entries of the completion queue, at least that of submissions; further
 *                        completions cost the kernel more time
 * @param providedBuffers the sizes of the buffers for continuous receives
 * @param zeroCopyFrom    the minimum number of bytes that are sent without copying, or {@link #NEVER}
 */
public record IoUringSize(int submissions, int completions, ProvidedBuffers.Size providedBuffers, int zeroCopyFrom) {

    /** The value of {@link #zeroCopyFrom} if all sends copy. */
    public static final int NEVER = Integer.MAX_VALUE;

    /**
     * System property with the minimum number of bytes that are sent without copying; by default all sends copy.
     * Without copying, the pages of the buffer are in use until the peer has acknowledged the bytes: the operation
     * completes later, and cancelling it or closing its handle resets the connection. This is faster from about 100 KiB
     * on, over a real network; the loopback device copies in any case.
     */
    public static final String ZERO_COPY_PROPERTY = "sluice.io_uring.zero-copy-from";

    /**
     * {@return a size for a server with thousands of connections: queues of 64 KiB and 128 KiB}
     *
     * @throws IllegalArgumentException if {@value #ZERO_COPY_PROPERTY} is not a number of bytes, or as for
     *                                  {@link ProvidedBuffers.Size#configured()}
     */
    public static IoUringSize configured() {
        return configured(ProvidedBuffers.Size.configured());
    }

    /** {@return a size for a server with thousands of connections, with provided buffers of the given sizes} */
    public static IoUringSize configured(ProvidedBuffers.Size providedBuffers) {
        return new IoUringSize(1024, 8192, providedBuffers,
                IntegerProperty.of(ZERO_COPY_PROPERTY, 0, Integer.MAX_VALUE, NEVER));
    }
}
