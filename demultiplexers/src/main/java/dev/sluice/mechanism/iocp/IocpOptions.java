package dev.sluice.mechanism.iocp;

import dev.sluice.mechanism.operation.IntegerProperty;
import dev.sluice.mechanism.operation.ProvidedBuffers;

/**
 * How an {@link IocpDemultiplexer} works.
 *
 * @param concurrency     how many threads that wait on the port may run at once; 0 for as many as there are processors
 * @param providedBuffers for continuous receives
 */
public record IocpOptions(int concurrency, ProvidedBuffers.Size providedBuffers) {

    /**
     * System property with the port's concurrency: while so many threads run that got something from the port, Windows
     * gives nothing to another one. 0, the number of processors, is the default; more suits handlers that block.
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
     * @throws IllegalArgumentException if {@value #CONCURRENCY_PROPERTY} is no number of threads, or as
     *                                  {@link ProvidedBuffers.Size#configured()}
     */
    public static IocpOptions configured() {
        return new IocpOptions(IntegerProperty.of(CONCURRENCY_PROPERTY, 0, Integer.MAX_VALUE, 0),
                ProvidedBuffers.Size.configured());
    }
}
