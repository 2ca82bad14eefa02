package dev.sluice.benchmarks.start;

import dev.sluice.benchmarks.peers.EchoServers;
import dev.sluice.benchmarks.peers.MeasuredPeer;
import dev.sluice.benchmarks.peers.ServerProcess;
import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.Preparation;
import dev.sluice.benchmarks.run.Scale;
import dev.sluice.benchmarks.run.Section;
import dev.sluice.benchmarks.run.Section.Better;
import dev.sluice.benchmarks.run.Section.Chart;
import dev.sluice.benchmarks.run.Suite;
import dev.sluice.benchmarks.run.Target;
import dev.sluice.benchmarks.run.Trial;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Starting echo servers, and leaving them alone. */
public final class StartSuite implements Suite {

    private static final String BASELINE = EchoServers.BASELINE;
    private static final String LAUNCHED = "Sluice Reactor, as ./sluice echo starts it";
    /** Names the launcher, by which these benchmarks have been started. */
    private static final String LAUNCHER = "sluice.launcher";
    private static final double LONGEST_START_MILLIS = 250;
    private static final double MAX_BYTES = 2048;
    /** Descriptors of a process that are no connections. */
    private static final int OTHER_DESCRIPTORS = 500;
    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final String DESCRIPTORS = "Max open files";
    // With the whole heap in memory from the beginning, garbage does not look like memory that connections need. Nor
    // does the optimizing compiler, which takes and returns megabytes at its own times: more than thousands of
    // connections take.
    private static final List<String> STEADY_MEMORY = List.of("-XX:+UseSerialGC", "-Xms512m", "-Xmx512m",
            "-XX:+AlwaysPreTouch", "-XX:TieredStopAtLevel=1");

    /** Creates a suite. */
    public StartSuite() {
    }

    @Override
    public String name() {
        return "start";
    }

    @Override
    public String summary() {
        return "echo servers: the time from their start to the first echo, and memory per idle connection";
    }

    @Override
    public String method() {
        return """
                The time runs from the start of the process until 64 bytes have come back on the first connection.
                Servers in Java are started as they are, from the class path, without a cache of classes other than the
                Java's own, and tell on standard output when they accept; those in C are asked every 10 ms. One server
                more is started by the launcher, a shell script, with the cache that it has made at an earlier start.
                The servers may use all processors.

                For the memory each connection is made, answered once and left open; the addresses 127.0.0.2 and up give
                ports enough. Measured is what the process has grown by, over the number of connections: what lives on
                the heap after a collection (`jcmd GC.class_histogram`), and what is resident outside of it, where the
                heap (512 MB, serial collector) is all in memory from the start, and the optimizing compiler, whose own
                memory comes and goes, is switched off. Before that, many connections have come and gone, so that
                classes and compiled code are there. What the kernel holds for a socket is not in it, and is the same
                for all contestants, except for the receive that io_uring keeps in flight.""";
    }

    @Override
    public List<Section> sections() {
        List<Section> sections = new ArrayList<>(
                List.of(new Section(StartTrial.TIME, "ms", Better.LOWER, BASELINE, Chart.BARS)
                        .drawing(EchoServers.shown())
                        .with(Target.of(LAUNCHED, LONGEST_START_MILLIS))));
        if (MemoryFigures.areTold()) {
            sections.add(new Section(IdleTrial.MEMORY, "B", Better.LOWER, BASELINE, Chart.NONE).with(
                    Stream.of(EchoServers.REACTOR, EchoServers.PROACTOR, EchoServers.EMULATED)
                            .map(name -> Target.of(name, MAX_BYTES)).toArray(Target[]::new)));
            sections.add(new Section(IdleTrial.HEAP, "B", Better.LOWER, BASELINE, Chart.NONE));
        }
        return sections;
    }

    @Override
    public Preparation prepare(Scale scale, Host host) throws IOException {
        EchoServers servers = EchoServers.find(scale, host);
        List<String> absences = new ArrayList<>(servers.absences());
        List<Trial> trials = new ArrayList<>();
        for (MeasuredPeer contestant : servers.contestants()) {
            trials.add(new StartTrial(contestant, scale.choose(1, 2, 3), host.unpinned(List.of())));
        }
        String launcher = System.getProperty(LAUNCHER);
        if (launcher == null) {
            absences.add(LAUNCHED + ": the benchmarks have not been started by the launcher");
        } else {
            MeasuredPeer launched = new MeasuredPeer(LAUNCHED, (there, name) -> ServerProcess.announcing(there, name,
                    List.of(launcher, "echo", "--port", "0")));
            startOnce(launched, host);
            trials.add(new StartTrial(launched, scale.choose(1, 2, 3), host.unpinned(List.of())));
        }
        for (int connections : scale.choose(List.of(100), List.of(8_000), List.of(8_000, 18_000))) {
            String obstacle = obstacle(connections);
            if (obstacle != null) {
                absences.add(IdleTrial.MEMORY + ", " + connections + ": " + obstacle);
                continue;
            }
            for (MeasuredPeer contestant : servers.contestants()) {
                trials.add(new IdleTrial(contestant, connections, scale.choose(10, 1_000, 2_000),
                        host.unpinned(STEADY_MEMORY)));
            }
        }
        return new Preparation(trials, scale.choose(1, 1, 5), absences);
    }

    /** The launcher makes its cache at the first start, which takes seconds. */
    private static void startOnce(MeasuredPeer launched, Host host) throws IOException {
        try {
            launched.starter().start(host, launched.name()).await().close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the launcher prepares its cache");
        }
    }

    private static String obstacle(int connections) throws IOException {
        if (!MemoryFigures.areTold()) {
            return "needs /proc and the jcmd of a JDK";
        }
        int wanted = connections + OTHER_DESCRIPTORS;
        return limit() >= wanted ? null : "needs " + wanted + " descriptors in each process: raise the hard limit "
                + "(ulimit -Hn)";
    }

    // The hard limit: Java raises the soft one to it, for itself and for the processes that it starts.
    private static long limit() throws IOException {
        for (String line : Files.readAllLines(LIMITS)) {
            if (line.startsWith(DESCRIPTORS)) {
                String[] columns = line.substring(DESCRIPTORS.length()).strip().split("\\s+");
                return columns[1].equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(columns[1]);
            }
        }
        throw new IOException(LIMITS + " does not tell: " + DESCRIPTORS);
    }
}
