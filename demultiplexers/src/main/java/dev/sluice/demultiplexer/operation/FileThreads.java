package dev.sluice.demultiplexer.operation;

import java.util.Objects;

/**
 * The options of a {@link FilePool}.
 *
 * @param most  how many threads it may have, at least 1
 * @param order in which they take what waits for them
 */
public record FileThreads(int most, FileOrder order) {

    /**
     * System property with the maximum number of threads of such a pool, 1 to 1024. While all of them wait for a disk
     * or a network file system, all other calls of the pool wait.
     */
    public static final String MAX_PROPERTY = "sluice.file-threads";

    /** Default maximum number of threads of a pool; {@value #MAX_PROPERTY} changes it. */
    public static final int DEFAULT_MAX = 4;

    /** The default; properties change it. */
    public static final FileThreads DEFAULT = new FileThreads(DEFAULT_MAX, FileOrder.FIFO);

    private static final int MAX_CONFIGURED = 1024;

    /** Checks the range. */
    public FileThreads {
        if (most < 1) {
            throw new IllegalArgumentException("most: " + most);
        }
        Objects.requireNonNull(order, "order");
    }

    /**
     * {@return {@link #DEFAULT}, unless changed by {@value #MAX_PROPERTY} and {@value FileOrder#PROPERTY}}
     *
     * @throws IllegalArgumentException if one of them has no possible value; the message names it
     */
    public static FileThreads configured() {
        return new FileThreads(IntegerProperty.of(MAX_PROPERTY, 1, MAX_CONFIGURED, DEFAULT_MAX),
                FileOrder.configured());
    }
}
