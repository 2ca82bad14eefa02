package dev.sluice.demultiplexer.spi;

/**
 * What a program has set for one demultiplexer. The system properties decide on the rest.
 *
 * @param buffers     the maximum number of provided buffers; 0 if not set
 * @param bufferSize  of each in bytes; 0 if not set
 * @param retainLimit the number of provided buffers that one connection may retain; 0 if not set
 */
public record DemultiplexerSettings(int buffers, int bufferSize, int retainLimit) {

    /** Nothing is set. */
    public static final DemultiplexerSettings NONE = new DemultiplexerSettings(0, 0, 0);
}
