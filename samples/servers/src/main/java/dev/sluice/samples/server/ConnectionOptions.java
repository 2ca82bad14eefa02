package dev.sluice.samples.server;

import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The option for the maximum number of connections. */
public final class ConnectionOptions {

    private static final int LARGEST = 10_000_000;

    @Option(names = "--connections", paramLabel = "N",
            description = "Maximum number of connections; further ones are refused (default: depends on memory and "
                    + "descriptors).")
    private Integer maximum;

    /** For picocli. */
    public ConnectionOptions() {
    }

    /**
     * Checks the number.
     *
     * @param server makes the exception
     * @throws ParameterException if it is out of range
     */
    public void check(ServerOptions server) {
        if (maximum != null) {
            server.requireRange("--connections", maximum, 1, LARGEST);
        }
    }

    /**
     * {@return the limit, for all ports of the server}
     *
     * @param refusal the answer to one more connection; empty for none
     */
    public ConnectionLimit limit(byte[] refusal) {
        return ConnectionLimit.of(maximum, refusal);
    }
}
