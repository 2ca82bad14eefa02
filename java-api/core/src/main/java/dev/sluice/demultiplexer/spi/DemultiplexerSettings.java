package dev.sluice.demultiplexer.spi;

/**
 * The settings of a program for one demultiplexer. System properties determine settings that are 0.
 *
 * @param buffers     the maximum number of provided buffers; 0 if not set
 * @param bufferSize  the size of each in bytes; 0 if not set
 * @param retainLimit the number of provided buffers that one connection may retain; 0 if not set
 */
public record DemultiplexerSettings(int buffers, int bufferSize, int retainLimit) {

    /** No settings: the system properties apply. */
    public static final DemultiplexerSettings NONE = new DemultiplexerSettings(0, 0, 0);
}
