package dev.sluice.benchmarks.load;

import java.time.Duration;

/**
 * Peers of a Gnutella router, in an open loop: one sends packets, delivered or not, and the router is to send
 * each of them on to all others.
 *
 * @param port           of the router, on 127.0.0.1
 * @param receivers      how many take what the router sends on
 * @param perSecond      the number of packets that are sent in a second; 0 for as many as the router takes, with
 *                       65 536 on their way
 * @param queryPercent   how many of a hundred are queries; the others are pings
 * @param text           how many characters a query asks for
 * @param slow           how many more peers greet when the measured time begins, and then read nothing
 * @param warmUpMillis   the length of the warm-up, in milliseconds
 * @param measuredMillis the length of the measurement, in milliseconds
 * @param timeoutMillis how long to wait for packets then, since the last one that has come
 * @param server         the process whose CPU time is measured, with its descendants
 */
public record Packets(int port, int receivers, int perSecond, int queryPercent, int text, int slow, long warmUpMillis,
        long measuredMillis, long timeoutMillis, long server) {

    /** The percentage of queries among the packets of an open loop: as in the paper on SEDA. */
    public static final int QUERY_PERCENT = 15;

    private static final int ALL = 100;
    private static final int TEXT = 8;
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    /**
     * {@return pings and queries at a rate}
     *
     * @param port      as above
     * @param perSecond as above
     * @param warmUp    the length of the warm-up
     * @param measured  the length of the measurement
     * @param server    as above
     */
    public static Packets at(int port, int perSecond, Duration warmUp, Duration measured, long server) {
        return new Packets(port, 1, perSecond, QUERY_PERCENT, TEXT, 0, warmUp.toMillis(), measured.toMillis(),
                TIMEOUT.toMillis(), server);
    }

    /**
     * {@return pings and queries at a rate, from the beginning on, of which those that come late are not waited for}
     *
     * @param port      as above
     * @param perSecond as above
     * @param measured  the length of the measurement
     * @param server    as above
     */
    public static Packets briefly(int port, int perSecond, Duration measured, long server) {
        return new Packets(port, 1, perSecond, QUERY_PERCENT, TEXT, 0, 0, measured.toMillis(), 0, server);
    }

    /**
     * {@return queries, as many as the router takes}
     *
     * @param port     as above
     * @param warmUp   the length of the warm-up
     * @param measured the length of the measurement
     * @param server   as above
     */
    public static Packets flatOut(int port, Duration warmUp, Duration measured, long server) {
        return new Packets(port, 1, 0, ALL, TEXT, 0, warmUp.toMillis(), measured.toMillis(), TIMEOUT.toMillis(),
                server);
    }

    /**
     * {@return queries at a rate, to some peers, and some who do not read}
     *
     * @param port      as above
     * @param receivers as above
     * @param slow      as above
     * @param perSecond as above
     * @param text      as above
     * @param warmUp    the length of the warm-up
     * @param measured  the length of the measurement
     * @param server    as above
     */
    public static Packets toSome(int port, int receivers, int slow, int perSecond, int text, Duration warmUp,
            Duration measured, long server) {
        return new Packets(port, receivers, perSecond, ALL, text, slow, warmUp.toMillis(), measured.toMillis(),
                TIMEOUT.toMillis(), server);
    }
}
