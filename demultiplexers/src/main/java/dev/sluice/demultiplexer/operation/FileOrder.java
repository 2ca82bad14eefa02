package dev.sluice.demultiplexer.operation;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.stream.Collectors;

/**
 * In which order the threads of a {@link FilePool} take what waits for them: the strategy by which the Proactor paper
 * lets initiators prioritize operations ("Scheduling, controlling, and canceling asynchronously running operations").
 */
public enum FileOrder {

    /** In the order in which they were begun. */
    FIFO {
        @Override
        Queue<PooledCall> newQueue() {
            return new ArrayDeque<>();
        }
    },

    /**
     * Those of the handles with the highest {@linkplain dev.sluice.demultiplexer.spi.Association#prioritize priority},
     * and among these in the order in which they were begun. Low priorities wait for as long as there are higher ones.
     */
    PRIORITY {
        @Override
        Queue<PooledCall> newQueue() {
            return new PriorityQueue<>(
                    Comparator.<PooledCall>comparingInt(call -> call.priority).reversed()
                            .thenComparingLong(call -> call.number));
        }
    };

    /** System property with the order: {@code fifo}, which is the default, or {@code priority}. */
    public static final String PROPERTY = "sluice.file-order";

    /** {@return an empty queue of this order; used under the pool's lock} */
    abstract Queue<PooledCall> newQueue();

    /**
     * {@return {@link #FIFO}, unless changed by {@value #PROPERTY}}
     *
     * @throws IllegalArgumentException if that names no order; the message lists them
     */
    public static FileOrder configured() {
        String text = System.getProperty(PROPERTY);
        if (text == null) {
            return FIFO;
        }
        return Arrays.stream(values())
                .filter(order -> order.optionName().equals(text.strip()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("-D" + PROPERTY + "=" + text + ": none of "
                        + Arrays.stream(values()).map(FileOrder::optionName).collect(Collectors.joining(", "))));
    }

    private String optionName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
