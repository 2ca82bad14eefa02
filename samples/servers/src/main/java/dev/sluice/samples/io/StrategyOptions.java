package dev.sluice.samples.io;

import dev.sluice.handle.SocketAcceptor;
import dev.sluice.samples.configurator.Changeable;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.samples.conversation.StrategyContext;
import dev.sluice.samples.conversation.ThreadOptions;
import dev.sluice.samples.server.ConnectionLimit;
import dev.sluice.samples.server.ConnectionOptions;
import dev.sluice.samples.server.ServerOptions;
import dev.sluice.samples.server.StopRequest;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Options for the JAWS paper's concurrency and I/O strategies: at the first port, and at others. */
final class StrategyOptions {

    /** The maximum that Linux accepts. */
    private static final int LARGEST_BACKLOG = 65_535;

    @Option(names = "--concurrency", paramLabel = "STRATEGY",
            description = "Concurrency strategy, which assigns connections to threads: ${COMPLETION-CANDIDATES} "
                    + "(default: that of --io).")
    private ConcurrencyStrategy concurrency;

    @Option(names = "--io", paramLabel = "STRATEGY",
            description = "I/O strategy: reactive (readiness; by default with reactor-per-thread), proactive "
                    + "(completion; proactor-per-thread), or synchronous (thread-per-connection) (default: that of "
                    + "--concurrency, or reactive).")
    private IoStrategy io;

    @Option(names = "--also", paramLabel = "PORT=STRATEGY[/WAY]", converter = OtherListener.Converter.class,
            description = "Listen on an additional port with its own --concurrency and, optionally, --file-io, on the "
                    + "best demultiplexer for it. May be given more than once.")
    private List<OtherListener> others = List.of();

    @Changeable
    @Option(names = "--threads", paramLabel = "N",
            description = "Number of threads: of reactor-per-thread and proactor-per-thread, where each runs an event "
                    + "loop and the first one accepts and distributes connections round-robin, or of a pool (default: "
                    + "the number of processors; thread-pool: 16, since each waits for one client).")
    private Integer threads;

    @Changeable
    @Option(names = "--also-threads", paramLabel = "N",
            description = "Number of threads of each pool of --also (default: the number of processors; thread-pool: "
                    + "16).")
    private Integer otherThreads;

    @Option(names = "--backlog", paramLabel = "N", defaultValue = "" + SocketAcceptor.DEFAULT_BACKLOG,
            description = "Maximum number of connections waiting to be accepted at --port; beyond it, clients retry "
                    + "at growing intervals. The system's own limit applies as well (default: ${DEFAULT-VALUE}).")
    private int backlog;

    @Mixin
    private ConnectionOptions connections;

    /**
     * Checks the options that picocli cannot check, and applies them, together with those of the first port.
     *
     * @throws ParameterException if one is wrong
     */
    void apply(ServerOptions server) {
        boolean asked = concurrency != null;
        check(server);
        IoStrategy other = io == IoStrategy.PROACTIVE ? IoStrategy.REACTIVE : IoStrategy.PROACTIVE;
        server.apply(concurrency.mode(), asked ? "--concurrency " + other.usual() : "--io " + other,
                concurrency.isConcurrent() ? "--concurrency " + concurrency : null);
    }

    /**
     * Checks each option by itself, and chooses the strategies that are left to choose.
     *
     * @throws ParameterException if one is wrong
     */
    void check(ServerOptions server) {
        chooseStrategies(server);
        server.requireRange("--backlog", backlog, 1, LARGEST_BACKLOG);
        connections.check(server);
        for (OtherListener other : others) {
            server.requireRange("--also", other.port(), 0, ServerOptions.LARGEST_PORT);
            ThreadOptions.requireAvailable("--also", other.concurrency(), server);
        }
        if (otherThreads != null) {
            ThreadOptions.requireRange("--also-threads", otherThreads, server);
            if (others.stream().noneMatch(OtherListener::hasPool)) {
                throw server.bad("--also-threads requires an --also with a pool of threads");
            }
        }
    }

    private void chooseStrategies(ServerOptions server) {
        if (concurrency == null) {
            concurrency = io == null ? ConcurrencyStrategy.REACTOR_PER_THREAD : io.usual();
        }
        if (io == null) {
            io = IoStrategy.of(concurrency);
        } else if (io != IoStrategy.of(concurrency)) {
            throw server.bad("--concurrency " + concurrency + " is " + IoStrategy.of(concurrency) + ", not --io "
                    + io);
        }
        threads = ThreadOptions.check(concurrency, threads, server);
    }

    /**
     * Checks that the number of threads can change while the server runs.
     *
     * @throws ParameterException if it cannot
     */
    void requirePool(ServerOptions server) {
        if (concurrency.fixedThreads() != null) {
            throw server.bad("--threads cannot change with --concurrency " + concurrency + ": "
                    + concurrency.fixedThreads());
        }
    }

    /** {@return how many threads there are to be} */
    ThreadCounts threads() {
        return new ThreadCounts(threads, otherThreads);
    }

    /**
     * Serves until the process is asked to stop.
     *
     * @param protocol the protocol
     * @param log      of the requests; null for none
     * @param counts   the initial numbers of threads
     * @param ready    called with the pools that serve, before the first port accepts its first connection
     * @param server   the options of the first port
     * @param stop     notified of the failure of a thread that the server cannot work without
     * @param changes  whether the strategy of the first port may change meanwhile
     * @throws IOException          if it cannot, or a thread fails that it cannot do without
     * @throws InterruptedException if the thread is interrupted
     */
    void serve(Protocol protocol, AccessLog log, ThreadCounts counts, Consumer<PortPools> ready,
            ServerOptions server, StopRequest stop, boolean changes) throws IOException, InterruptedException {
        boolean fixed = concurrency.fixedThreads() != null;
        ConnectionLimit limit = connections.limit(protocol.refusal());
        try (AdditionalListeners besides = new AdditionalListeners(others, protocol, log, server, counts, limit,
                stop)) {
            besides.start();
            Map<Integer, PortPools.Other> otherPools = besides.pools();
            if (changes) {
                StrategyContext context = new StrategyContext(new StrategicProtocol(protocol, log, null, null, backlog,
                        limit, pool -> { }), server, limit, stop);
                context.serve(concurrency, counts.first(),
                        () -> ready.accept(PortPools.changeable(context, otherPools)));
                return;
            }
            StrategicProtocol served = new StrategicProtocol(protocol, log, null, null, backlog, limit,
                    pool -> ready.accept(new PortPools(fixed ? null : pool, otherPools)));
            concurrency.serve(served, server, counts.first(), stop);
        }
    }
}
