package dev.sluice.samples.haboob;

import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.proactor.Proactor;
import dev.sluice.samples.configurator.ConfigurationFile;
import dev.sluice.samples.configurator.ConfigurationSource;
import dev.sluice.samples.configurator.Options;
import dev.sluice.samples.configurator.ServiceConfigurator;
import dev.sluice.samples.io.FileServiceOptions;
import dev.sluice.samples.server.EventLoopServer;
import dev.sluice.samples.server.ServerOptions;
import dev.sluice.samples.server.StopRequest;
import dev.sluice.samples.server.VirtualThreads;
import dev.sluice.samples.stages.StagesHandler;
import dev.sluice.samples.web.ServedSite;
import dev.sluice.samples.web.SiteOptions;
import dev.sluice.stages.StageGraph;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code sluice haboob}. */
@Command(name = HaboobCommand.NAME, mixinStandardHelpOptions = true, sortOptions = false,
        description = "The SEDA paper's web server: stages with queues between them, a page cache, a bottleneck at "
                + "/bottleneck that sheds load, and a live view at /stages.")
public final class HaboobCommand implements Callable<Integer>, ServedSite.Terms {

    static final String NAME = "haboob";

    private static final int KIB = 1024;
    private static final int MIN_PAGE_CACHE = 512;
    private static final int MAX_PAGE_CACHE = 1 << 30;
    private static final int MAX_CONNECTIONS = 1 << 16;
    private static final int LONGEST_COST = 60_000;
    private static final int LONGEST_TARGET = 3_600_000;

    @Option(names = "--stages", paramLabel = "WHICH", defaultValue = "coarse",
            description = "Which stages have a queue and threads of their own: coarse (those that may block; the "
                    + "others are called), or paper (all) (default: ${DEFAULT-VALUE}).")
    private StageBoundaries boundaries;

    @Option(names = "--page-cache", paramLabel = "KIB", defaultValue = "204800",
            description = "Memory for pages, in KiB, including pages that are being sent. A file larger than a quarter "
                    + "of it is sent in pieces instead (default: ${DEFAULT-VALUE}).")
    private int pageCache;

    @Option(names = "--reply-order", paramLabel = "ORDER", defaultValue = "size",
            description = "Order of replies of which more than 64 KiB are left: size (those with least left first; "
                    + "shorter ones do not wait for them), or none (each goes on as soon as its client takes "
                    + "something) (default: ${DEFAULT-VALUE}).")
    private ReplyOrder order;

    @Option(names = "--connections", paramLabel = "N", defaultValue = "1024",
            description = "Maximum number of connections; others wait until one ends (default: ${DEFAULT-VALUE}).")
    private int connections;

    @Option(names = "--cost", paramLabel = "MILLIS", defaultValue = "40",
            description = "Processor time of a request for /bottleneck (default: ${DEFAULT-VALUE}).")
    private int cost;

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "0",
            description = "How often a request for /bottleneck opens, reads and sums up its file, instead of --cost "
                    + "(default: as often as --cost says).")
    private int rounds;

    @Option(names = "--wait", paramLabel = "MILLIS", defaultValue = "0",
            description = "Time that a request for /bottleneck waits as well, as for another server (default: "
                    + "${DEFAULT-VALUE}).")
    private int wait;

    @Option(names = "--page-threads", paramLabel = "N", defaultValue = "20",
            description = "Maximum number of threads of /bottleneck (default: ${DEFAULT-VALUE}).")
    private int pageThreads;

    @Option(names = "--virtual", description = "The threads of /bottleneck are virtual ones. Needs --rounds, as the "
            + "system does not tell their processor time.")
    private boolean virtual;

    @Option(names = "--shedding", paramLabel = "STRATEGY", defaultValue = "mean",
            description = "Load shedding policy of /bottleneck, which rejects requests with 503: mean (the queue's "
                    + "threshold follows the mean response time), percentile (a rate follows the 90th percentile), "
                    + "backlog (the queue's "
                    + "threshold is what can be served within the target), delay (rejects requests queued too long "
                    + "while the queue does not drain), or none (default: ${DEFAULT-VALUE}).")
    private Shedding shedding;

    @Option(names = "--shed-first", paramLabel = "QUERY",
            description = "Requests for /bottleneck?QUERY are rejected before others (default: all alike).")
    private String shedFirst;

    @Option(names = "--target", paramLabel = "MILLIS", defaultValue = "5000",
            description = "Target response time of --shedding; with delay, the maximum queueing delay under overload "
                    + "(default: ${DEFAULT-VALUE}).")
    private int target;

    @Option(names = "--config", paramLabel = "FILE",
            description = "File with more options, each in a line 'name = value', for the files, logs and timeouts. "
                    + "SIGHUP reloads it; requests in progress are answered as before.")
    private Path config;

    @Option(names = "--control", paramLabel = "[HOST:]PORT",
            description = "Control address: accepts the commands reload (like SIGHUP) and status, one per line. Not "
                    + "authenticated (default: off; default HOST: this machine alone).")
    private String control;

    @Spec
    private CommandSpec spec;

    @Mixin
    private SiteOptions site;

    @Mixin
    private FileServiceOptions service;

    @Mixin
    private ServerOptions server;

    /** For picocli. */
    public HaboobCommand() {
    }

    @Override
    public Integer call() throws Exception {
        server.apply(Mode.ASYNCHRONOUS, null);
        server.requireNamed("--config", config);
        check();
        InetSocketAddress address = control == null ? null : server.control("--control", control);
        if (config == null && address == null) {
            service.requireConsistent(server);
            site.requireConsistent(service, server);
            serve(() -> Options.of(this), null, server.newStopRequest());
            return 0;
        }
        ConfigurationSource<HaboobCommand> source = config == null ? () -> Options.of(this)
                : new ConfigurationFile<>(config, spec, HaboobCommand::new, (options, inFile) -> options.check());
        StopRequest stop = server.newStopRequest();
        try (ServiceConfigurator configurator = new ServiceConfigurator(address, stop)) {
            serve(source, configurator, stop);
        }
        return 0;
    }

    private void check() {
        site.check(server);
        service.check(server);
        server.requireRange("--page-cache", pageCache, MIN_PAGE_CACHE, MAX_PAGE_CACHE);
        server.requireRange("--connections", connections, 1, MAX_CONNECTIONS);
        server.requireRange("--cost", cost, 0, LONGEST_COST);
        server.requireRange("--target", target, 1, LONGEST_TARGET);
        server.requireRange("--rounds", rounds, 0, Integer.MAX_VALUE);
        server.requireRange("--wait", wait, 0, LONGEST_COST);
        server.requireRange("--page-threads", pageThreads, 1, MAX_CONNECTIONS);
        if (virtual && rounds == 0) {
            throw new ParameterException(spec.commandLine(), "--virtual needs --rounds");
        }
        if (virtual && VirtualThreads.unavailable() != null) {
            throw new ParameterException(spec.commandLine(), "--virtual " + VirtualThreads.unavailable());
        }
    }

    @Override
    public SiteOptions site() {
        return site;
    }

    @Override
    public FileServiceOptions service() {
        return service;
    }

    @Override
    public ServerOptions server() {
        return server;
    }

    /** Serves; the configurator, if there is one, may replace the services. */
    private void serve(ConfigurationSource<HaboobCommand> source, ServiceConfigurator configurator, StopRequest stop)
            throws IOException, InterruptedException {
        StageGraph graph = new StageGraph(NAME);
        Pages pages = new Pages(pageCache / (PageMemory.BLOCK / KIB));
        try (ServedSite served = ServedSite.open(source, next -> new StagesHandler(graph, Map.of(), next),
                () -> pages.figures().byName(), configurator == null ? Runnable::run : configurator);
                Bottleneck bottleneck = new Bottleneck(
                        new Bottleneck.Work(Duration.ofMillis(cost), rounds, Duration.ofMillis(wait)));
                EventLoopServer<Proactor> loops = new EventLoopServer<>(NAME, 1, server::openProactor, stop)) {
            try {
                serve(graph, served, pages, bottleneck, loops, configurator);
            } finally {
                if (configurator != null) {
                    // Before what it replaces is closed.
                    configurator.stop();
                }
            }
        }
    }

    private void serve(StageGraph graph, ServedSite served, Pages pages, DynamicPage bottleneck,
                       EventLoopServer<Proactor> loops, ServiceConfigurator configurator)
            throws IOException, InterruptedException {
        Proactor proactor = loops.loops().get(0);
        Haboob.Shape shape = new Haboob.Shape(boundaries, connections, shedding, Duration.ofMillis(target),
                shedFirst, order, new PageThreads(pageThreads, virtual));
        try (Haboob haboob = new Haboob(graph, shape, server.address(), served, pages,
                served.log(configurator != null), proactor, loops.connections(proactor), bottleneck,
                List.of(new ThreadsPage()))) {
            SocketAddress address = haboob.listening().localAddress();
            loops.serve(List.of((Closeable) haboob.listening()::close), () -> {
                if (configurator != null) {
                    configurator.start(served.configuration());
                }
                server.announce(NAME, address, proactor.demultiplexer());
            });
        }
    }
}
