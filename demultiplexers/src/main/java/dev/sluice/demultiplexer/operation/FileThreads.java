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
     * System property with the most threads that such a pool may have, 1 to 1024. What waits for a disk or a network
     * file system in all of them at once makes everything else of its pool wait.
     */
    public static final String MOST_PROPERTY = "sluice.file-threads";

    /** The most threads that a pool may have unless {@value #MOST_PROPERTY} says otherwise. */
    public static final int DEFAULT_MOST = 4;

    /** What applies unless a property says otherwise. */
    public static final FileThreads DEFAULT = new FileThreads(DEFAULT_MOST, FileOrder.FIFO);

    private static final int MOST_CONFIGURED = 1024;

    /** Checks the range. */
    public FileThreads {
        if (most < 1) {
            throw new IllegalArgumentException("most: " + most);
        }
        Objects.requireNonNull(order, "order");
    }

    /**
     * {@return {@link #DEFAULT}, unless changed by {@value #MOST_PROPERTY} and {@value FileOrder#PROPERTY}}
     *
     * @throws IllegalArgumentException if one of them has no possible value; the message names it
     */
    public static FileThreads configured() {
        return new FileThreads(IntegerProperty.of(MOST_PROPERTY, 1, MOST_CONFIGURED, DEFAULT_MOST),
                FileOrder.configured());
    }
}
