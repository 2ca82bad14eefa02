package dev.sluice.benchmarks.load;

import java.time.Duration;

/**
 * What a server is given to do.
 *
 * @param kind           what a connection does
 * @param port           of the server, on 127.0.0.1
 * @param connections    how many are busy at a time
 * @param size           of a message, in bytes
 * @param depth          how many messages a connection has in flight
 * @param idle           how many connections are open beside them and say nothing
 * @param warmUpMillis   how long it runs before it is measured
 * @param measuredMillis how long it is measured
 * @param server         the process whose CPU time is measured, with its descendants
 */
public record Load(Kind kind, int port, int connections, int size, int depth, int idle, long warmUpMillis,
        long measuredMillis, long server) {

    /** What a connection does. */
    public enum Kind {
        /** It stays open, and answers each reply with the next message. */
        ECHO,
        /** It sends one message, gets its reply, and closes; then the next one is made. */
        CHURN
    }

    /**
     * {@return messages on connections that stay open}
     *
     * @param port        as above
     * @param connections as above
     * @param size        as above
     * @param depth       as above
     * @param idle        as above
     * @param warmUp      how long it runs before it is measured
     * @param measured    how long it is measured
     * @param server      as above
     */
    public static Load echo(int port, int connections, int size, int depth, int idle, Duration warmUp,
            Duration measured, long server) {
        return new Load(Kind.ECHO, port, connections, size, depth, idle, warmUp.toMillis(), measured.toMillis(),
                server);
    }

    /**
     * {@return connections for one message each}
     *
     * @param port        as above
     * @param connections as above
     * @param size        as above
     * @param warmUp      how long it runs before it is measured
     * @param measured    how long it is measured
     * @param server      as above
     */
    public static Load churn(int port, int connections, int size, Duration warmUp, Duration measured, long server) {
        return new Load(Kind.CHURN, port, connections, size, 1, 0, warmUp.toMillis(), measured.toMillis(), server);
    }
}
