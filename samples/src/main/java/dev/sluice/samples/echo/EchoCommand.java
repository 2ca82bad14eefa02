package dev.sluice.samples.echo;

import dev.sluice.samples.server.ServerOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sluice echo}. */
@Command(name = "echo", mixinStandardHelpOptions = true,
        description = "A TCP echo server on a Reactor or a Proactor: sends back every byte it receives.")
public final class EchoCommand implements Callable<Integer> {

    private static final int MOST_THREADS = 1024;

    @Mixin
    private ServerOptions options;

    @Option(names = "--pattern", paramLabel = "PATTERN", defaultValue = "reactor",
            description = "reactor (readiness) or proactor (completion) (default: ${DEFAULT-VALUE}).")
    private EchoPattern pattern;

    @Option(names = "--threads", paramLabel = "N", defaultValue = "1",
            description = "Event loops, each in a thread of its own; the first one accepts and hands connections out "
                    + "in turn (default: ${DEFAULT-VALUE}).")
    private int threads;

    /** For picocli. */
    public EchoCommand() {
    }

    @Override
    public Integer call() throws Exception {
        options.apply(pattern.mode(), pattern == EchoPattern.REACTOR ? "--pattern proactor" : "--pattern reactor");
        options.requireRange("--threads", threads, 1, MOST_THREADS);
        pattern.serve(options, threads);
        return 0;
    }
}
