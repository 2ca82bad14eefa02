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
     * System property with the maximum number of kernel threads that execute requests on regular files for one thread,
     * 1 to 1024, since Linux 5.15; by default the kernel sets it, at most four for each processor. The kernel hands
     * requests to these threads that may wait otherwise than for a read of the disk: forces, and writes that
     * {@link dev.sluice.demultiplexer.operation.CachedTransfers} leaves to it.
     */
    public static final String WORKERS_PROPERTY = "sluice.io_uring.file-workers";

    private static final int MAX_WORKERS = 1024;

    /**
     * {@return the value of {@value #WORKERS_PROPERTY}; 0 if it is not set}
     *
     * @throws IllegalArgumentException if it is not a number in that range
     */
    static int configuredWorkers() {
        return IntegerProperty.of(WORKERS_PROPERTY, 1, MAX_WORKERS, 0);
    }

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
