package dev.sluice.benchmarks.load;

import java.time.Duration;
import java.util.List;

/**
 * What a server is given to do.
 *
 * @param kind           what a connection does
 * @param port           of the server, on 127.0.0.1
 * @param connections    how many are busy at a time
 * @param size           of a message, in bytes
 * @param depth          how many messages a connection has in flight
 * @param idle           the number of further connections that are open and idle
 * @param files          the sizes of the files that are asked for, in bytes and in this order, again and again
 * @param warmUpMillis   the length of the warm-up, in milliseconds
 * @param measuredMillis the length of the measurement, in milliseconds
 * @param server         the process whose CPU time is measured, with its descendants
 */
public record Load(Kind kind, int port, int connections, int size, int depth, int idle, List<Integer> files,
        long warmUpMillis, long measuredMillis, long server) {

    /** What a connection does. */
    public enum Kind {
        /** It stays open, and answers each reply with the next message. */
        ECHO,
        /** It sends one message, gets its reply, and closes; then the next one is made. */
        CHURN,
        /** It asks for a file, gets it, and is closed by the server; then the next one is made. */
        FILES,
        /** It stays open; messages are packets that have no reply, but each time {@code depth} of them one for all. */
        BURSTS
    }

    /**
     * {@return messages on connections that stay open}
     *
     * @param port        as above
     * @param connections as above
     * @param size        as above
     * @param depth       as above
     * @param idle        as above
     * @param warmUp      the length of the warm-up
     * @param measured    the length of the measurement
     * @param server      as above
     */
    public static Load echo(int port, int connections, int size, int depth, int idle, Duration warmUp,
            Duration measured, long server) {
        return new Load(Kind.ECHO, port, connections, size, depth, idle, List.of(), warmUp.toMillis(),
                measured.toMillis(), server);
    }

    /**
     * {@return bursts of packets on connections that stay open}
     *
     * @param port        as above
     * @param connections as above
     * @param size        of a packet, in bytes
     * @param packets     in a burst
     * @param warmUp      the length of the warm-up
     * @param measured    the length of the measurement
     * @param server      as above
     */
    public static Load bursts(int port, int connections, int size, int packets, Duration warmUp, Duration measured,
            long server) {
        return new Load(Kind.BURSTS, port, connections, size, packets, 0, List.of(), warmUp.toMillis(),
                measured.toMillis(), server);
    }

    /**
     * {@return connections for one message each}
     *
     * @param port        as above
     * @param connections as above
     * @param size        as above
     * @param warmUp      the length of the warm-up
     * @param measured    the length of the measurement
     * @param server      as above
     */
    public static Load churn(int port, int connections, int size, Duration warmUp, Duration measured, long server) {
        return new Load(Kind.CHURN, port, connections, size, 1, 0, List.of(), warmUp.toMillis(),
                measured.toMillis(), server);
    }

    /**
     * {@return connections for one file of a {@link Site} each}
     *
     * @param port        as above
     * @param connections as above
     * @param files       as above; at least one
     * @param warmUp      the length of the warm-up
     * @param measured    the length of the measurement
     * @param server      as above
     */
    public static Load files(int port, int connections, List<Integer> files, Duration warmUp, Duration measured,
            long server) {
        return new Load(Kind.FILES, port, connections, 0, 1, 0, List.copyOf(files), warmUp.toMillis(),
                measured.toMillis(), server);
    }
}
