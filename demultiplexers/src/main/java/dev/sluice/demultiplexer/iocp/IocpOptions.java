package dev.sluice.demultiplexer.iocp;

import dev.sluice.demultiplexer.operation.IntegerProperty;
import dev.sluice.demultiplexer.operation.ProvidedBuffers;

/**
 * The options of an {@link IocpDemultiplexer}.
 *
 * @param concurrency     how many of the threads that wait on the port may run at once; 0 for as many as there are
 *                        processors
 * @param providedBuffers for continuous receives
 */
public record IocpOptions(int concurrency, ProvidedBuffers.Size providedBuffers) {

    /**
     * System property with the port's concurrency: while that many threads that got something from the port are
     * running, Windows gives nothing to any other. The default, 0, means the number of processors; more suits handlers
     * that block.
     */
    public static final String CONCURRENCY_PROPERTY = "sluice.iocp.concurrency";

    /** Checks the range. */
    public IocpOptions {
        if (concurrency < 0) {
            throw new IllegalArgumentException("concurrency: " + concurrency);
        }
    }

    /**
     * {@return what suits a server with thousands of connections}
     *
     * @throws IllegalArgumentException if {@value #CONCURRENCY_PROPERTY} is not a valid number of threads, or as for
     *                                  {@link ProvidedBuffers.Size#configured()}
     */
    public static IocpOptions configured() {
        return new IocpOptions(IntegerProperty.of(CONCURRENCY_PROPERTY, 0, Integer.MAX_VALUE, 0),
                ProvidedBuffers.Size.configured());
    }
}
