package dev.sluice.benchmarks.load;

import java.time.Duration;

/**
 * Clients of a web server in a closed loop: each asks for a page, reads the reply, thinks, and asks for the next one.
 *
 * @param port           of the server, on 127.0.0.1
 * @param count          how many clients there are
 * @param directories    of the {@link FileSet} that they ask for; 0 if they ask for one page
 * @param path           of that page; null if there is none
 * @param size           of that page, in bytes
 * @param requests       on a connection, which the client closes then
 * @param thinkMillis    how long a client waits after each reply
 * @param obedient       whether a client that is refused waits as long as the server asks it to, instead
 * @param warmUpMillis   the length of the warm-up, in milliseconds
 * @param measuredMillis the length of the measurement, in milliseconds
 * @param timeoutMillis how long to wait for replies then
 * @param windowMillis   length of the windows of the course; 0 for none
 * @param server         the process whose CPU time is measured, with its descendants
 * @param beside         other clients of the server at the same time, which are counted by themselves; null if there
 *                       are none. Their times are those of these
 */
public record Clients(int port, int count, int directories, String path, int size, int requests, long thinkMillis,
        boolean obedient, long warmUpMillis, long measuredMillis, long timeoutMillis, long windowMillis,
        long server, Clients beside) {

    /** As the paper on SEDA has it. */
    private static final int REQUESTS = 5;
    private static final Duration THINK = Duration.ofMillis(20);

    /**
     * How long it takes.
     *
     * @param warmUp   before it is measured
     * @param measured after that
     * @param timeout  for what has been asked for then
     */
    public record Times(Duration warmUp, Duration measured, Duration timeout) {
    }

    /**
     * {@return clients that ask for files, as those of the paper on SEDA do: 5 on a connection, and 20 ms of thinking}
     *
     * @param port        as above
     * @param count       as above
     * @param directories as above
     * @param times       the lengths of the phases
     * @param server      as above
     */
    public static Clients ofFiles(int port, int count, int directories, Times times, long server) {
        return new Clients(port, count, directories, null, 0, REQUESTS, THINK.toMillis(), false,
                times.warmUp().toMillis(), times.measured().toMillis(), times.timeout().toMillis(), 0, server,
                null);
    }

    /**
     * {@return clients that all ask for one page, as often on a connection, and after as much thinking}
     *
     * @param port     as above
     * @param count    as above
     * @param path     as above
     * @param size     as above
     * @param obedient as above
     * @param times    the lengths of the phases
     * @param window   of the course
     * @param server   as above
     */
    public static Clients ofPage(int port, int count, String path, int size, boolean obedient, Times times,
            Duration window, long server) {
        return new Clients(port, count, 0, path, size, REQUESTS, THINK.toMillis(), obedient, times.warmUp().toMillis(),
                times.measured().toMillis(), times.timeout().toMillis(), window.toMillis(), server,
                null);
    }

    /**
     * {@return the same with other clients beside them}
     *
     * @param others as above
     */
    public Clients beside(Clients others) {
        return new Clients(port, count, directories, path, size, requests, thinkMillis, obedient, warmUpMillis,
                measuredMillis, timeoutMillis, windowMillis, server, others);
    }
}
