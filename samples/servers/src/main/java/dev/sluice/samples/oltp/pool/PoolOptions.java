package dev.sluice.samples.oltp.pool;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.samples.conversation.ThreadOptions;
import dev.sluice.samples.server.ConnectionLimit;
import dev.sluice.samples.server.ConnectionOptions;
import dev.sluice.samples.server.ServerOptions;
import dev.sluice.samples.server.StopRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.stream.Stream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that every OLTP server has. */
public final class PoolOptions {

    /** As Redis has it. */
    private static final String REFUSAL = "-ERR max number of clients reached\r\n";

    /** Those that serve by conversations, for the help. */
    private static final class Served extends ArrayList<String> {

        private static final long serialVersionUID = 1L;

        Served() {
            super(Stream.of(ConcurrencyStrategy.values()).filter(each -> each.mode() == Mode.SYNCHRONOUS)
                    .map(ConcurrencyStrategy::toString).toList());
        }
    }

    @Option(names = "--concurrency", paramLabel = "STRATEGY", defaultValue = "leader-followers",
            completionCandidates = Served.class,
            description = "Concurrency strategy, which assigns connections to threads: ${COMPLETION-CANDIDATES} "
                    + "(default: "
                    + "${DEFAULT-VALUE}).")
    private ConcurrencyStrategy concurrency;

    @Option(names = "--threads", paramLabel = "N",
            description = "Number of threads of a pool (default: 16), or of reactors of reactor-per-thread (default: "
                    + "1).")
    private Integer threads;

    @Mixin
    private ConnectionOptions connections;

    @Mixin
    private ServerOptions server;

    /** For picocli. */
    public PoolOptions() {
    }

    /** Checks the options that picocli cannot check, and applies them. */
    public void apply() {
        if (concurrency.mode() != Mode.SYNCHRONOUS) {
            throw server.bad("--concurrency " + concurrency + " is proactive, which this server does not support: "
                    + String.join(", ", new Served()));
        }
        connections.check(server);
        server.apply(Mode.SYNCHRONOUS, null);
        if (threads == null && concurrency.defaultThreads() > 0) {
            // Steps wait, for the disk or for another server: processors say nothing of how many threads they need.
            threads = concurrency.fixedThreads() == null ? ConcurrencyStrategy.WAITING_POOL : 1;
        }
        threads = ThreadOptions.check(concurrency, threads, server);
    }

    /** {@return which thread serves which connection} */
    public ConcurrencyStrategy concurrency() {
        return concurrency;
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
     * @param stop     notified of the failure of anything that the services cannot work without
     * @throws IOException          if it cannot, or a thread fails that it cannot do without
     * @throws InterruptedException if the thread is interrupted
     */
    public void serve(String name, ServiceFactory services, StopRequest stop)
            throws IOException, InterruptedException {
        ConnectionLimit limit = connections.limit(REFUSAL.getBytes(US_ASCII));
        concurrency.serve(new OltpProtocol(name, concurrency, services, limit), server, threads, stop);
    }
}
