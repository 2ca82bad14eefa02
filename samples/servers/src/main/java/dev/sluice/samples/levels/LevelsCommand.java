package dev.sluice.samples.levels;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.samples.server.ConnectionLimit;
import dev.sluice.samples.server.ConnectionOptions;
import dev.sluice.samples.server.ServerOptions;
import dev.sluice.samples.server.StopRequest;
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

/** {@code sluice levels}. */
@Command(name = "levels", mixinStandardHelpOptions = true,
        description = "Digests texts, at several service levels: each has a queue, threads, and a port of its own, "
                + "counted from --port. A line 'ROUNDS TEXT' is a job.")
public final class LevelsCommand implements Callable<Integer> {

    private static final Logger LOG = LoggerFactory.getLogger(LevelsCommand.class);
    private static final String REFUSAL = "busy\n";
    private static final int MAX_LEVELS = 16;
    private static final int MAX_QUEUE = 1_000_000;
    private static final int LONGEST_PERIOD = 3600;

    @Mixin
    private ServerOptions options;

    @Option(names = "--levels", paramLabel = "NAME=THREADS[@PRIORITY]", split = ",", defaultValue = "gold=4,bronze=2@1",
            description = "Service levels, separated by commas; the priority is a Java thread priority, 1 to 10 "
                    + "(default: "
                    + "${DEFAULT-VALUE}).")
    private List<String> texts;

    @Option(names = "--queue", paramLabel = "JOBS", defaultValue = "1000",
            description = "Queue capacity of each level, in jobs (default: ${DEFAULT-VALUE}).")
    private int queueCapacity;

    @Option(names = "--report", paramLabel = "SECONDS", defaultValue = "0",
            description = "Interval at which each level logs its counts, 0 for never (default: ${DEFAULT-VALUE}).")
    private Duration period;

    @Mixin
    private ConnectionOptions connections;

    /** For picocli. */
    public LevelsCommand() {
    }

    @Override
    public Integer call() throws Exception {
        options.apply(Mode.SYNCHRONOUS, null);
        options.requireRange("--levels", texts.size(), 1, MAX_LEVELS);
        options.requireRange("--queue", queueCapacity, 1, MAX_QUEUE);
        connections.check(options);
        options.requireRange("--report", period, 0, LONGEST_PERIOD);
        List<Level> levels = new ArrayList<>();
        for (String text : texts) {
            levels.add(level(text));
        }
        options.requirePorts("--levels", levels.size());
        StopRequest stop = options.newStopRequest();
        List<LevelGroup> groups = new ArrayList<>();
        try {
            serve(levels, groups, stop);
            stop.await();
        } finally {
            groups.forEach(LevelGroup::close);
        }
        groups.forEach(group -> LOG.info("{}", group));
        if (stop.failure() != null) {
            throw new IOException("a thread failed: " + stop.failure(), stop.failure());
        }
        return ExitCode.OK;
    }

    private Level level(String text) {
        Level level = Level.parse(text);
        if (level == null) {
            throw options.bad("--levels: expected NAME=THREADS or NAME=THREADS@PRIORITY with " + Level.MIN_THREADS
                    + " to " + Level.MAX_THREADS + " threads and a priority of 1 to 10, not '" + text + "'");
        }
        return level;
    }

    private void serve(List<Level> levels, List<LevelGroup> groups, StopRequest stop) throws IOException {
        InetSocketAddress first = options.address();
        ConnectionLimit limit = connections.limit(REFUSAL.getBytes(US_ASCII));
        for (Level level : levels) {
            int port = first.getPort() == 0 ? 0 : first.getPort() + groups.size();
            SocketAcceptor listener = SocketAcceptor.open(new InetSocketAddress(first.getAddress(), port));
            groups.add(open(level, listener, limit, stop));
        }
        for (int i = 0; i < levels.size(); i++) {
            LevelGroup group = groups.get(i);
            if (!period.isZero()) {
                group.reportEvery(period);
            }
            LOG.info("{} listens on {}", levels.get(i).name(), group.address());
            options.announce("levels", group.address(), group.demultiplexer());
        }
    }

    private LevelGroup open(Level level, SocketAcceptor listener, ConnectionLimit limit, StopRequest stop)
            throws IOException {
        try {
            return new LevelGroup(level, listener, options.demultiplexer(), queueCapacity, limit, stop);
        } catch (Throwable e) {
            listener.close();
            throw e;
        }
    }
}
