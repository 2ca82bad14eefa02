package dev.sluice.samples.gnutella;

import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.proactor.Proactor;
import dev.sluice.proactor.ProactorGroup;
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
        description = "Routes Gnutella 0.4 and 0.6 messages between neighbours, as a graph of stages. Serves no files.")
public final class GnutellaCommand implements Callable<Integer> {

    private static final Logger LOG = LoggerFactory.getLogger(GnutellaCommand.class);

    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final Duration TOLERANCE = Duration.ofSeconds(5);
    private static final int MAX_HOSTS = 256;
    private static final int MAX_KEEP = 64;
    private static final int MAX_NEIGHBOURS = 4096;
    private static final int MIN_QUEUE = 16;
    private static final int MIN_OUTGOING = 64;
    private static final int MAX_OUTGOING = 16 * 1024;
    private static final int MAX_DELAY = 60_000;
    private static final int MAX_THREADS = 256;
    private static final int MAX_PACKET_RATE = 1_000_000;
    private static final int MAX_HANDSHAKE_TIMEOUT = 600;
    private static final int MIN_IDLE_TIMEOUT = 4;
    private static final int MAX_IDLE_TIMEOUT = 86_400;
    private static final int KIB = 1024;

    @Mixin
    private ServerOptions options;

    @Option(names = "--connect", paramLabel = "HOST:PORT", split = ",",
            description = "Hosts to connect to, separated by commas. Further hosts are learned from them.")
    private List<String> hosts = new ArrayList<>();

    @Option(names = "--keep", paramLabel = "N", defaultValue = "4",
            description = "Number of outgoing connections to maintain (default: ${DEFAULT-VALUE}).")
    private int kept;

    @Option(names = "--neighbours", paramLabel = "N", defaultValue = "64",
            description = "Maximum number of incoming connections (default: ${DEFAULT-VALUE}).")
    private int neighbours;

    @Option(names = "--queue", paramLabel = "MESSAGES", defaultValue = "2048",
            description = "Capacity of the router's queue, in messages (default: ${DEFAULT-VALUE}).")
    private int queue;

    @Option(names = "--outgoing", paramLabel = "KIB", defaultValue = "128",
            description = "Maximum output queued for a neighbour. A neighbour whose queue is full for 5 s is "
                    + "disconnected (default: ${DEFAULT-VALUE}).")
    private int outgoing;

    @Option(names = "--threads", paramLabel = "N", defaultValue = "1",
            description = "Maximum number of router threads; above 1, the thread pool controller sets the number "
                    + "(default: ${DEFAULT-VALUE}).")
    private int threads;

    @Option(names = "--query-delay", paramLabel = "MILLISECONDS", defaultValue = "0",
            description = "Time to sleep for each query, to simulate expensive work (default: ${DEFAULT-VALUE}).")
    private int delay;

    @Option(names = "--handshake-timeout", paramLabel = "SECONDS", defaultValue = "10",
            description = "Maximum duration of a handshake, and of flushing output to a neighbour that is being "
                    + "closed (default: ${DEFAULT-VALUE}).")
    private int timeout;

    @Option(names = "--idle-timeout", paramLabel = "SECONDS", defaultValue = "120",
            description = "Disconnects a neighbour that sends nothing for this long; a ping is sent after half of it "
                    + "(default: ${DEFAULT-VALUE}).")
    private int silence;

    @Option(names = "--on-overload", paramLabel = "POLICY", defaultValue = "throttle",
            description = "What to do when the queue fills up: throttle, drop, red, filter-queries, credits, rate "
                    + "(default: ${DEFAULT-VALUE}).")
    private OverloadPolicy policy;

    @Option(names = "--packet-rate", paramLabel = "N", defaultValue = "50",
            description = "With --on-overload rate, the packets, of 4 KiB at most, that are read from each neighbour "
                    + "in a second (default: ${DEFAULT-VALUE}).")
    private int packetRate;

    @Option(names = "--status", paramLabel = "PORT",
            description = "Serves a live view of the stages at this port, without authentication; 0 for any free port "
                    + "(default: off).")
    private Integer status;

    /** For picocli. */
    public GnutellaCommand() {
    }

    @Override
    public Integer call() throws Exception {
        options.apply(Mode.ASYNCHRONOUS, null);
        Settings settings = settings();
        StopRequest stop = options.newStopRequest();
        try (ProactorGroup loop = options.openProactors("gnutella-loop", 1)) {
            Proactor proactor = loop.loops().get(0);
            loop.onFailure(stop::fail);
            loop.start();
            stop.listen(proactor);
            route(new GnutellaNode(settings, proactor), proactor, stop);
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
                page = new StatusServer(node.graph(), node.counts().means(),
                        new InetSocketAddress(options.address().getAddress(), status), stop::fail);
            }
            options.announce("gnutella", node.address(), proactor.demultiplexer());
            stop.await();
        } finally {
            stop.whenCutShort(Thread.currentThread()::interrupt);
            StopReport report = node.stop(stop.grace());
            if (page != null) {
                page.close();
            }
            if (!report.isDrained()) {
                LOG.warn("output that could not be sent within {} s is lost", OptionValues.inSeconds(stop.grace()));
            }
            LOG.info("{}", node.counts());
        }
    }

    private Settings settings() throws IOException {
        options.requireRange("--connect", hosts.size(), 0, MAX_HOSTS);
        options.requireRange("--keep", kept, 0, MAX_KEEP);
        options.requireRange("--neighbours", neighbours, 1, MAX_NEIGHBOURS);
        options.requireRange("--queue", queue, MIN_QUEUE, StageOptions.MAX_CAPACITY);
        options.requireRange("--outgoing", outgoing, MIN_OUTGOING, MAX_OUTGOING);
        options.requireRange("--threads", threads, 1, MAX_THREADS);
        options.requireRange("--query-delay", delay, 0, MAX_DELAY);
        options.requireRange("--handshake-timeout", timeout, 1, MAX_HANDSHAKE_TIMEOUT);
        options.requireRange("--idle-timeout", silence, MIN_IDLE_TIMEOUT, MAX_IDLE_TIMEOUT);
        options.requireRange("--packet-rate", packetRate, 1, MAX_PACKET_RATE);
        if (status != null) {
            options.requireRange("--status", status, 0, ServerOptions.LARGEST_PORT);
        }
        List<InetSocketAddress> given = new ArrayList<>();
        for (String host : hosts) {
            given.add(options.peer("--connect", host));
        }
        return new Settings(options.address(), given, kept, neighbours, queue, outgoing * KIB, threads,
                Duration.ofMillis(delay), policy, packetRate, status != null, Duration.ofSeconds(timeout), INTERVAL,
                TOLERANCE, Duration.ofSeconds(silence));
    }
}
