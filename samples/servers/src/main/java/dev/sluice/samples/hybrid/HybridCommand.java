package dev.sluice.samples.hybrid;

import dev.sluice.connection.Acceptor;
import dev.sluice.connection.ListenOptions;
import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.leaderfollowers.LeaderFollowersPool;
import dev.sluice.leaderfollowers.PromotionOrder;
import dev.sluice.samples.server.ConnectionLimit;
import dev.sluice.samples.server.ConnectionOptions;
import dev.sluice.samples.server.PoolThreads;
import dev.sluice.samples.server.ServerOptions;
import dev.sluice.samples.server.StopRequest;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sluice hybrid}. */
@Command(name = "hybrid", mixinStandardHelpOptions = true,
        description = "Two servers that are each other's clients: to answer a line 'ID N' with the Fibonacci number "
                + "N, a server calls its peer, which calls back. One thread is sufficient.")
public final class HybridCommand implements Callable<Integer> {

    private static final Logger LOG = LoggerFactory.getLogger(HybridCommand.class);
    private static final int MAX_THREADS = 1024;
    private static final int LONGEST_TIMEOUT = 3_600_000;

    @Mixin
    private ServerOptions options;

    @Option(names = "--peer", paramLabel = "HOST:PORT", required = true,
            description = "Address of the peer, which may be this server.")
    private String peer;

    @Option(names = "--threads", paramLabel = "N", defaultValue = "2",
            description = "Number of threads that answer and make calls (default: ${DEFAULT-VALUE}).")
    private int threads;

    @Option(names = "--timeout", paramLabel = "MILLISECONDS", defaultValue = "10000",
            description = "Maximum time to wait for the peer's answer (default: ${DEFAULT-VALUE}).")
    private int timeout;

    @Mixin
    private ConnectionOptions connections;

    /** For picocli. */
    public HybridCommand() {
    }

    @Override
    public Integer call() throws Exception {
        options.apply(Mode.SYNCHRONOUS, null);
        options.requireRange("--threads", threads, 1, MAX_THREADS);
        connections.check(options);
        options.requireRange("--timeout", timeout, 1, LONGEST_TIMEOUT);
        InetSocketAddress address = options.peer("--peer", peer);
        Counts counts = new Counts();
        StopRequest stop = options.newStopRequest();
        // One leader on any mechanism: only a leader can hand a response to the thread that waits for it.
        try (SocketAcceptor listener = SocketAcceptor.open(options.address());
                LeaderFollowersPool pool = LeaderFollowersPool.open(options.demultiplexer(),
                        PromotionOrder.IMPLEMENTATION_DEFINED, false)) {
            Fibonacci fibonacci = new Fibonacci(new Peer(pool, address, Duration.ofMillis(timeout), counts));
            ConnectionLimit limit = connections.limit(new byte[0]);
            limit.count(counts.clients::get);
            Acceptor.listen(List.of(pool), listener, new ListenOptions().filter(limit::admits).onFailure(stop::fail),
                    () -> new CallHandler(fibonacci, counts));
            stop.listen(pool);
            PoolThreads.start(pool, "hybrid", threads, stop);
            LOG.info("the peer is {}", peer);
            options.announce("hybrid", listener.localAddress(), pool.handleSet().demultiplexer());
            stop.await();
        }
        LOG.info("{}", counts);
        if (stop.failure() != null) {
            throw new IOException("a thread failed: " + stop.failure(), stop.failure());
        }
        return ExitCode.OK;
    }
}
