package dev.sluice.benchmarks.load;

/**
 * Visitors of a web server in an open loop: they come at a mean rate, by chance, whether or not earlier ones have been
 * answered. Each connects, asks for one page, and leaves when it is there, or when its timeout has elapsed.
 *
 * @param port           of the server, on 127.0.0.1
 * @param perSecond      the mean number of visitors per second
 * @param users          the number of users that the visitors belong to, in turn; for the fairness
 * @param path           of the page
 * @param size           of the page, in bytes
 * @param warmUpMillis   the length of the warm-up, in milliseconds
 * @param measuredMillis the length of the measurement, in milliseconds
 * @param timeoutMillis how long a visitor waits for its page, in milliseconds
 * @param server         the process whose CPU time is measured, with its descendants
 */
public record Visits(int port, double perSecond, int users, String path, int size, long warmUpMillis,
        long measuredMillis, long timeoutMillis, long server) {

    private static final int USERS = 64;

    /**
     * {@return visitors of 64 users}
     *
     * @param port      as above
     * @param perSecond as above
     * @param path      as above
     * @param size      as above
     * @param times     the lengths of the phases, and how long a visitor waits
     * @param server    as above
     */
    public static Visits of(int port, double perSecond, String path, int size, Clients.Times times, long server) {
        return new Visits(port, perSecond, USERS, path, size, times.warmUp().toMillis(), times.measured().toMillis(),
                times.timeout().toMillis(), server);
    }
}
