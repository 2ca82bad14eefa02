package dev.sluice.samples.oltp.pool;

import dev.sluice.demultiplexer.DemultiplexerFactory.Mode;
import dev.sluice.samples.server.ServerOptions;
import dev.sluice.samples.server.StopRequest;
import java.io.IOException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that every OLTP server has. */
public final class PoolOptions {

    private static final int MOST_THREADS = 1024;

    @Option(names = "--pool", paramLabel = "MODEL", defaultValue = "leader-followers",
            description = "Which thread serves which connection: ${COMPLETION-CANDIDATES} (default: "
                    + "${DEFAULT-VALUE}).")
    private PoolModel model;

    @Option(names = "--threads", paramLabel = "N", defaultValue = "16",
            description = "Threads of leader-followers and half-sync; the other models have one, or one for "
                    + "each connection (default: ${DEFAULT-VALUE}).")
    private int threads;

    @Mixin
    private ServerOptions server;

    /** For picocli. */
    public PoolOptions() {
    }

    /** Checks the options that picocli cannot check, and puts them into force. */
    public void apply() {
        server.apply(Mode.SYNCHRONOUS, null);
        if (model.unavailable() != null) {
            throw server.bad("--pool " + model + " " + model.unavailable());
        }
        server.requireRange("--threads", threads, 1, MOST_THREADS);
    }

    /** {@return which thread serves which connection} */
    public PoolModel model() {
        return model;
    }

    /** {@return the options of all servers} */
    public ServerOptions server() {
        return server;
    }

    /**
     * Serves until the process is asked to stop.
     *
     * @param name     the sample's name
     * @param services makes a service for each connection
     * @param stop     told of the failure of whatever the services cannot do without
     * @throws IOException          if it cannot, or a thread fails that it cannot do without
     * @throws InterruptedException if the thread is interrupted
     */
    public void serve(String name, ServiceFactory services, StopRequest stop)
            throws IOException, InterruptedException {
        model.serve(name, server, threads, services, stop);
    }
}
