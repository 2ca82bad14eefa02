package dev.sluice.samples.echo;

import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.samples.conversation.ThreadOptions;
import dev.sluice.samples.server.ConnectionLimit;
import dev.sluice.samples.server.ConnectionOptions;
import dev.sluice.samples.server.ServerOptions;
import dev.sluice.samples.server.StopRequest;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sluice echo}. */
@Command(name = "echo", mixinStandardHelpOptions = true,
        description = "A TCP echo server on a Reactor or a Proactor: sends back every byte it receives.")
public final class EchoCommand implements Callable<Integer> {

    /** The strategies with an echo server, for the help. */
    private static final class Served extends ArrayList<String> {

        private static final long serialVersionUID = 1L;

        Served() {
            super(Stream.of(ConcurrencyStrategy.values()).filter(each -> !each.isConcurrent())
                    .map(ConcurrencyStrategy::toString).toList());
        }
    }

    @Mixin
    private ServerOptions options;

    @Option(names = "--pattern", paramLabel = "PATTERN",
            description = "reactor (readiness) or proactor (completion) (default: that of --concurrency, or reactor).")
    private EchoPattern pattern;

    @Option(names = "--concurrency", paramLabel = "STRATEGY",
            completionCandidates = Served.class,
            description = "Concurrency strategy, which assigns connections to threads: ${COMPLETION-CANDIDATES} "
                    + "(default: reactor-per-thread or proactor-per-thread, by --pattern).")
    private ConcurrencyStrategy concurrency;

    @Option(names = "--threads", paramLabel = "N",
            description = "Number of threads: of reactor-per-thread and proactor-per-thread, where each runs an event "
                    + "loop and the first one accepts and distributes connections round-robin, or of a pool (default: "
                    + "the number of processors; thread-pool: 16, since each waits for one client).")
    private Integer threads;

    @Mixin
    private ConnectionOptions connections;

    /** For picocli. */
    public EchoCommand() {
    }

    @Override
    public Integer call() throws Exception {
        boolean asked = concurrency != null;
        chooseStrategy();
        EchoPattern other = pattern == EchoPattern.REACTOR ? EchoPattern.PROACTOR : EchoPattern.REACTOR;
        options.apply(pattern.mode(), asked ? "--concurrency " + other.usual() : "--pattern " + other);
        int count = ThreadOptions.check(concurrency, threads, options);
        connections.check(options);
        ConnectionLimit limit = connections.limit(new byte[0]);
        StopRequest stop = options.newStopRequest();
        if (concurrency == pattern.usual()) {
            pattern.serve(options, count, limit, stop);
        } else {
            concurrency.serve(new EchoProtocol(limit), options, count, stop);
        }
        return 0;
    }

    private void chooseStrategy() {
        if (concurrency == null) {
            concurrency = (pattern == null ? EchoPattern.REACTOR : pattern).usual();
        }
        if (concurrency.isConcurrent()) {
            throw options.bad("--concurrency " + concurrency + " is not supported by echo, whose proactors have a "
                    + "thread each");
        }
        EchoPattern needed = concurrency.mode() == EchoPattern.REACTOR.mode() ? EchoPattern.REACTOR
                : EchoPattern.PROACTOR;
        if (pattern == null) {
            pattern = needed;
        } else if (pattern != needed) {
            throw options.bad("--concurrency " + concurrency + " requires --pattern " + needed + ", not " + pattern);
        }
    }
}
