package dev.sluice.benchmarks.peers;

import dev.sluice.benchmarks.run.Host;
import java.io.IOException;

/**
 * A server that can take part.
 *
 * @param name    as in the report
 * @param starter starts it
 */
public record MeasuredPeer(String name, Starter starter) {

    /** Starts a server. */
    @FunctionalInterface
    public interface Starter {

        /**
         * Starts it, without waiting until it accepts.
         *
         * @param host the host to run on
         * @param name of the contestant
         * @return what to wait for; the caller closes it
         * @throws IOException if it cannot be started
         */
        ServerProcess.Starting start(Host host, String name) throws IOException;
    }
}
