package dev.sluice.samples.oltp.frontend;

import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.samples.oltp.pool.PoolOptions;
import dev.sluice.samples.server.StopRequest;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sluice oltp-front}. */
@Command(name = "oltp-front", mixinStandardHelpOptions = true, sortOptions = false,
        description = "Forwards its clients' deposits to the back-end that has the branch, over a few connections that "
                + "all clients share. Speaks RESP2.")
public final class FrontEndCommand implements Callable<Integer> {

    private static final int MAX_LINKS = 64;
    private static final int LONGEST_TIMEOUT = 3_600_000;

    @Option(names = "--back", paramLabel = "HOST:PORT", required = true, split = ",",
            description = "Back-ends, separated by commas; branch b is on back-end number b modulo their count.")
    private List<String> backs;

    @Option(names = "--links", paramLabel = "N", defaultValue = "4",
            description = "Number of connections to each back-end (default: ${DEFAULT-VALUE}).")
    private int links;

    @Option(names = "--timeout", paramLabel = "MILLISECONDS", defaultValue = "5000",
            description = "Maximum time to wait for a back-end's answer (default: ${DEFAULT-VALUE}).")
    private int timeout;

    @Mixin
    private PoolOptions pool;

    /** For picocli. */
    public FrontEndCommand() {
    }

    @Override
    public Integer call() throws Exception {
        pool.apply();
        pool.server().requireRange("--links", links, 1, MAX_LINKS);
        pool.server().requireRange("--timeout", timeout, 1, LONGEST_TIMEOUT);
        List<InetSocketAddress> addresses = new ArrayList<>();
        for (String back : backs) {
            addresses.add(pool.server().peer("--back", back));
        }
        StopRequest stop = pool.server().newStopRequest();
        try (BackEnds backEnds = new BackEnds(addresses, links, Duration.ofMillis(timeout),
                pool.server().openReactors("links", 1), stop::fail)) {
            backEnds.listen(stop);
            if (pool.concurrency() != ConcurrencyStrategy.LEADER_FOLLOWERS) {
                backEnds.connect();
            }
            pool.serve("oltp-front", new FrontEnd(backEnds), stop);
        }
        return 0;
    }
}
