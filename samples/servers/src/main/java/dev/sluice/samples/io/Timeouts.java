package dev.sluice.samples.io;

import java.time.Duration;

/**
 * How long a connection waits for its client, in nanoseconds.
 *
 * @param idle    between two requests, and for a client that reads nothing of its reply; where the system tells what
 *                the client has taken, once or twice that time
 * @param request for all octets of a request, from its first one on
 */
public record Timeouts(long idle, long request) {

    /** For a client to close its half of a connection that the server has ended. */
    static final long DRAIN = Duration.ofSeconds(2).toNanos();

    /** {@return how often to look at deadlines so that none is missed by much} */
    Duration sweepInterval() {
        return Duration.ofNanos(Math.min(Math.min(idle, request), DRAIN) / 4);
    }
}
