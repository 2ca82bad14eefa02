package dev.sluice.samples.gnutella;

import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.proactor.Proactor;
import dev.sluice.samples.server.EventLoopThread;
import dev.sluice.samples.server.OptionValues;
import dev.sluice.samples.server.ServerOptions;
import dev.sluice.samples.server.StopRequest;
import dev.sluice.samples.stages.StatusServer;
import dev.sluice.stages.StageOptions;
import dev.sluice.stages.StopReport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sluice gnutella}. */
@Command(name = "gnutella", mixinStandardHelpOptions = true,
        description = "A router for Gnutella 0.4 and 0.6, made of stages: it sends pings and queries to all its "
                + "neighbours, and pongs, hits and pushes back. It has no files itself.")
public final class GnutellaCommand implements Callable<Integer> {

    private static final Logger LOG = LoggerFactory.getLogger(GnutellaCommand.class);

    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final Duration TOLERANCE = Duration.ofSeconds(5);
    private static final int MOST_HOSTS = 256;
    private static final int MOST_KEPT = 64;
    private static final int MOST_NEIGHBOURS = 4096;
    private static final int LEAST_QUEUE = 16;
    private static final int LEAST_OUTGOING = 64;
    private static final int MOST_OUTGOING = 16 * 1024;
    private static final int MOST_DELAY = 60_000;
    private static final int MOST_THREADS = 256;
    private static final int MOST_PATIENCE = 600;
    private static final int LEAST_SILENCE = 4;
    private static final int MOST_SILENCE = 86_400;
    private static final int KIB = 1024;

    @Mixin
    private ServerOptions options;

    @Option(names = "--connect", paramLabel = "HOST:PORT", split = ",",
            description = "Hosts to connect to, separated by commas; others are found by way of them.")
    private List<String> hosts = new ArrayList<>();

    @Option(names = "--keep", paramLabel = "N", defaultValue = "4",
            description = "How many connections to other hosts to keep up (default: ${DEFAULT-VALUE}).")
    private int kept;

    @Option(names = "--neighbours", paramLabel = "N", defaultValue = "64",
            description = "How many hosts may connect to this one (default: ${DEFAULT-VALUE}).")
    private int neighbours;

    @Option(names = "--queue", paramLabel = "MESSAGES", defaultValue = "2048",
            description = "How many messages may wait to be routed (default: ${DEFAULT-VALUE}).")
    private int queue;

    @Option(names = "--outgoing", paramLabel = "KIB", defaultValue = "128",
            description = "How much may wait to be sent to a host; one that stays behind for 5 s is closed (default: "
                    + "${DEFAULT-VALUE}).")
    private int outgoing;

    @Option(names = "--threads", paramLabel = "N", defaultValue = "1",
            description = "The most threads that route: with more than one, the thread pool controller adds and takes "
                    + "back some (default: ${DEFAULT-VALUE}).")
    private int threads;

    @Option(names = "--query-delay", paramLabel = "MILLISECONDS", defaultValue = "0",
            description = "Sleeps on each query, as if it were a lot of work (default: ${DEFAULT-VALUE}).")
    private int delay;

    @Option(names = "--handshake-timeout", paramLabel = "SECONDS", defaultValue = "10",
            description = "How long a greeting may take, and a host that is closed to take what waits for it (default: "
                    + "${DEFAULT-VALUE}).")
    private int patience;

    @Option(names = "--idle-timeout", paramLabel = "SECONDS", defaultValue = "120",
            description = "How long a host may send nothing before it is closed; after half of that it is sent a ping, "
                    + "which it should answer (default: ${DEFAULT-VALUE}).")
    private int silence;

    @Option(names = "--on-overload", paramLabel = "POLICY", defaultValue = "throttle",
            description = "What is done when messages come faster than they are routed: drop, red, filter-queries, "
                    + "throttle, credits (default: ${DEFAULT-VALUE}).")
    private OverloadPolicy policy;

    @Option(names = "--status", paramLabel = "PORT",
            description = "Show the stages at work to everybody who opens this port in a browser, 0 for any free one "
                    + "(default: nowhere).")
    private Integer status;

    /** For picocli. */
    public GnutellaCommand() {
    }

    @Override
    public Integer call() throws Exception {
        options.apply(Mode.ASYNCHRONOUS, null);
        Settings settings = settings();
        StopRequest stop = options.newStopRequest();
        try (EventLoopThread<Proactor> loop =
                new EventLoopThread<>("gnutella-loop", options.openProactor(), stop::fail)) {
            loop.start();
            stop.listen(loop.loop());
            route(new GnutellaNode(settings, loop.loop()), loop.loop(), stop);
        }
        if (stop.failure() != null) {
            throw new IOException("a thread failed: " + stop.failure(), stop.failure());
        }
        return ExitCode.OK;
    }

    private void route(GnutellaNode node, Proactor proactor, StopRequest stop)
            throws IOException, InterruptedException {
        StatusServer page = null;
        try {
            if (status != null) {
                page = new StatusServer(node.graph(), new InetSocketAddress(options.address().getAddress(), status),
                        stop::fail);
            }
            options.announce("gnutella", node.address(), proactor.demultiplexer());
            stop.await();
        } finally {
            StopReport report = node.stop(stop.grace());
            if (page != null) {
                page.close();
            }
            if (!report.isDrained()) {
                LOG.warn("what could not be sent within {} s is lost", OptionValues.inSeconds(stop.grace()));
            }
            LOG.info("{}", node.counts());
        }
    }

    private Settings settings() throws IOException {
        options.requireRange("--connect", hosts.size(), 0, MOST_HOSTS);
        options.requireRange("--keep", kept, 0, MOST_KEPT);
        options.requireRange("--neighbours", neighbours, 1, MOST_NEIGHBOURS);
        options.requireRange("--queue", queue, LEAST_QUEUE, StageOptions.MOST_CAPACITY);
        options.requireRange("--outgoing", outgoing, LEAST_OUTGOING, MOST_OUTGOING);
        options.requireRange("--threads", threads, 1, MOST_THREADS);
        options.requireRange("--query-delay", delay, 0, MOST_DELAY);
        options.requireRange("--handshake-timeout", patience, 1, MOST_PATIENCE);
        options.requireRange("--idle-timeout", silence, LEAST_SILENCE, MOST_SILENCE);
        if (status != null) {
            options.requireRange("--status", status, 0, ServerOptions.LARGEST_PORT);
        }
        List<InetSocketAddress> given = new ArrayList<>();
        for (String host : hosts) {
            given.add(options.peer("--connect", host));
        }
        return new Settings(options.address(), given, kept, neighbours, queue, outgoing * KIB, threads,
                Duration.ofMillis(delay), policy, status != null, Duration.ofSeconds(patience), INTERVAL, TOLERANCE,
                Duration.ofSeconds(silence));
    }
}
