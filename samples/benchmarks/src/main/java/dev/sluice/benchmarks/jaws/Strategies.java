package dev.sluice.benchmarks.jaws;

import dev.sluice.benchmarks.peers.MeasuredPeer;
import dev.sluice.benchmarks.peers.ServerProcess;
import dev.sluice.benchmarks.run.Mechanisms;
import dev.sluice.benchmarks.run.Scale;
import dev.sluice.benchmarks.run.Target;
import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.samples.Main;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.samples.io.FileIo;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The web server sample under each concurrency strategy that there is here. */
final class Strategies {

    /** The contestant that the others are compared with: the best of the paper's for small files. */
    static final String BASELINE = ConcurrencyStrategy.THREAD_POOL.toString();

    /** Those that the paper compares; the last one is its asynchronous TransmitFile. */
    private static final List<ConcurrencyStrategy> OF_THE_PAPER = List.of(ConcurrencyStrategy.THREAD_PER_REQUEST,
            ConcurrencyStrategy.THREAD_POOL, ConcurrencyStrategy.PROACTOR_PER_THREAD);

    /** One of each kind. */
    private static final List<ConcurrencyStrategy> DRAWN = List.of(ConcurrencyStrategy.REACTOR_PER_THREAD,
            ConcurrencyStrategy.LEADER_FOLLOWERS, ConcurrencyStrategy.HALF_SYNC_HALF_ASYNC,
            ConcurrencyStrategy.PROACTOR_PER_THREAD, ConcurrencyStrategy.THREAD_POOL,
            ConcurrencyStrategy.THREAD_PER_CONNECTION);

    /** Those that have an adaptive row: one of a pool, which may be resized, and one of a loop. */
    private static final List<ConcurrencyStrategy> ADAPTIVE = List.of(ConcurrencyStrategy.LEADER_FOLLOWERS,
            ConcurrencyStrategy.PROACTOR_PER_THREAD);
    /** The contestant that changes its strategy while it runs. */
    private static final String ANY = "any strategy, adaptive";
    /** The strategy that it begins with. */
    private static final ConcurrencyStrategy FIRST = ConcurrencyStrategy.REACTOR_PER_THREAD;
    /** What files travel by in further rows of these, besides transmission, which all have. */
    private static final List<FileIo> FURTHER_WAYS = List.of(FileIo.MMAP, FileIo.READ);
    /** Target of an adaptive server, as a share of the best of those that are fixed. */
    private static final double PART_OF_BEST = 0.95;

    /** Number of threads of a pool that does not adapt; the default would be one, as there is one processor. */
    private static final int POOL = 16;

    /** Interval at which an adaptive server takes samples. */
    private static final Duration INTERVAL = Duration.ofMillis(100);
    /** Number of samples where nothing is measured. */
    private static final int MIN_LOOKS = 2;
    /** Number of samples under load before each measurement: enough to try each way twice. */
    private static final int LOOKS = 15;
    /** It waits a little under a new load; and large files come in bursts, so that each try has to be longer. */
    private static final int LOOKS_FOR_CERTAIN = 30;
    private static final int LOOKS_AT_LARGE_FILES = 60;
    /** Each of the other strategies is tried for 32 samples, or for 8 if it is much worse. */
    private static final int LOOKS_FOR_STRATEGIES = 100;

    private final List<MeasuredPeer> contestants = new ArrayList<>();
    private final List<String> absences = new ArrayList<>();
    private final Set<String> adaptive = new HashSet<>();
    private final Scale scale;
    private final Path root;

    private Strategies(Scale scale, Path root) {
        this.scale = scale;
        this.root = root;
    }

    /**
     * Finds the strategies that can take part.
     *
     * @param scale says how many are wanted
     * @param root  the directory that is served
     * @return what there is
     */
    static Strategies find(Scale scale, Path root) {
        Strategies found = new Strategies(scale, root);
        for (ConcurrencyStrategy each : scale == Scale.SMALLEST ? OF_THE_PAPER
                : List.of(ConcurrencyStrategy.values())) {
            found.add(each);
        }
        ADAPTIVE.forEach(found::addAdaptive);
        found.addChanging();
        if (scale == Scale.FULL) {
            ADAPTIVE.forEach(found::addFurtherWays);
            found.addFurtherProactors();
        }
        return found;
    }

    /** {@return the names of those that a chart shows} */
    static String[] drawn() {
        return DRAWN.stream().map(ConcurrencyStrategy::toString).toArray(String[]::new);
    }

    /** {@return the targets of the adaptive ones} */
    static Target[] targets() {
        Stream<Target> ofEach = ADAPTIVE.stream().map(strategy -> Target.timesBest(adaptive(strategy), PART_OF_BEST,
                strategy + " with each way that is fixed", fixed(strategy).toList()));
        List<String> all = Stream.of(Arrays.stream(ConcurrencyStrategy.values()).map(ConcurrencyStrategy::toString),
                ADAPTIVE.stream().flatMap(Strategies::fixed),
                furtherProactors().map(Strategies::emulated)).flatMap(each -> each).distinct().toList();
        return Stream.concat(ofEach, Stream.of(Target.timesBest(ANY, PART_OF_BEST, "all that are fixed", all)))
                .toArray(Target[]::new);
    }

    private static Stream<String> fixed(ConcurrencyStrategy strategy) {
        return Stream.concat(Stream.of(strategy.toString()), FURTHER_WAYS.stream().map(way -> fixed(strategy, way)));
    }

    private static String adaptive(ConcurrencyStrategy strategy) {
        return strategy + ", adaptive";
    }

    private static String fixed(ConcurrencyStrategy strategy, FileIo way) {
        return strategy + ", " + way;
    }

    /** {@return those that take part} */
    List<MeasuredPeer> contestants() {
        return contestants;
    }

    /**
     * Chooses how long to load a contestant.
     *
     * @param contestant one of those that take part
     * @param mix        what it is to send
     * @param times      for those that need not change anything
     * @return the same, with time to adapt to the load if it does
     */
    StrategyTrial.Times times(MeasuredPeer contestant, FileMix mix, StrategyTrial.Times times) {
        if (!adaptive.contains(contestant.name())) {
            return times;
        }
        int certain = mix.isOfLargeFiles() ? LOOKS_AT_LARGE_FILES : LOOKS_FOR_CERTAIN;
        int looks = contestant.name().equals(ANY)
                ? scale.choose(MIN_LOOKS, LOOKS_FOR_STRATEGIES, LOOKS_FOR_STRATEGIES)
                : scale.choose(MIN_LOOKS, LOOKS, certain);
        return times.adapting(INTERVAL.multipliedBy(looks));
    }

    /** {@return those that do not take part, with the reason: a line each} */
    List<String> absences() {
        return absences;
    }

    private void add(ConcurrencyStrategy strategy) {
        if (strategy.unavailable() != null) {
            absences.add(strategy + ": " + strategy.unavailable());
        } else if (strategy.isConcurrent() && !hasConcurrent(strategy.mode())) {
            absences.add(strategy + ": no demultiplexer here can be used by several threads");
        } else {
            contestants.add(steady(strategy.toString(), strategy, Mechanism.AUTO));
        }
    }

    private static boolean hasConcurrent(Mode mode) {
        return Mechanism.available().stream().anyMatch(factory -> factory.mode() == mode
                && factory.isConcurrent() && factory.availability().usable());
    }

    /** On what is emulated; the best one is what the strategy takes by itself. */
    private void addFurtherProactors() {
        furtherProactors().forEach(demultiplexer -> contestants.add(steady(emulated(demultiplexer),
                ConcurrencyStrategy.PROACTOR_PER_THREAD, demultiplexer)));
    }

    private static Stream<String> furtherProactors() {
        return Mechanisms.ofProactor().stream().skip(1);
    }

    private static String emulated(String demultiplexer) {
        return ConcurrencyStrategy.PROACTOR_PER_THREAD + ", emulated on " + demultiplexer;
    }

    private void addAdaptive(ConcurrencyStrategy strategy) {
        String name = adaptive(strategy);
        adaptive.add(name);
        contestants.add(web(name, strategy, Mechanism.AUTO, "--threads", "1", "--adapt",
                Double.toString(INTERVAL.toMillis() / 1e3)));
    }

    /** One that changes its concurrency strategy as well. */
    private void addChanging() {
        adaptive.add(ANY);
        contestants.add(web(ANY, FIRST, Mechanism.AUTO, "--threads", "1", "--changeable", "--adapt",
                Double.toString(INTERVAL.toMillis() / 1e3)));
    }

    private void addFurtherWays(ConcurrencyStrategy strategy) {
        FURTHER_WAYS.forEach(way -> contestants.add(steady(fixed(strategy, way), strategy, Mechanism.AUTO,
                "--file-io", way.toString())));
    }

    private MeasuredPeer steady(String contestant, ConcurrencyStrategy strategy, String demultiplexer,
            String... others) {
        List<String> options = new ArrayList<>(List.of(others));
        if (strategy.defaultThreads() > 0) {
            options.addAll(List.of("--threads", strategy.fixedThreads() == null ? Integer.toString(POOL) : "1"));
        }
        return web(contestant, strategy, demultiplexer, options.toArray(String[]::new));
    }

    private MeasuredPeer web(String contestant, ConcurrencyStrategy strategy, String demultiplexer, String... others) {
        List<String> options = new ArrayList<>(List.of("web", "--port", "0", "--root", root.toString(),
                "--concurrency", strategy.toString(), "--demultiplexer", demultiplexer));
        options.addAll(List.of(others));
        return new MeasuredPeer(contestant, (host, name) -> ServerProcess.java(host, "jaws " + name, List.of(),
                Main.class, options.toArray(String[]::new)));
    }
}
