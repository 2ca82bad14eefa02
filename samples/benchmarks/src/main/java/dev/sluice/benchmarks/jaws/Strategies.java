package dev.sluice.benchmarks.jaws;

import dev.sluice.benchmarks.peers.Contestant;
import dev.sluice.benchmarks.peers.ServerProcess;
import dev.sluice.benchmarks.run.Mechanisms;
import dev.sluice.benchmarks.run.Scale;
import dev.sluice.demultiplexer.DemultiplexerFactory.Mode;
import dev.sluice.demultiplexer.Demultiplexers;
import dev.sluice.demultiplexer.HandleSetKind;
import dev.sluice.samples.Main;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The web server sample under each concurrency strategy that there is here. */
final class Strategies {

    /** The contestant that the others are compared with: the best of the paper's for small files. */
    static final String BASELINE = ConcurrencyStrategy.THREAD_POOL.toString();

    /** Those that the paper compares; the last one is its asynchronous TransmitFile. */
    private static final List<ConcurrencyStrategy> OF_THE_PAPER = List.of(ConcurrencyStrategy.THREAD_PER_REQUEST,
            ConcurrencyStrategy.THREAD_POOL, ConcurrencyStrategy.PROACTOR_PER_THREAD);

    /** How often an adaptive server looks. */
    private static final Duration INTERVAL = Duration.ofMillis(100);
    /** For how long it is loaded before it is measured: twice as long as it takes to change its mind. */
    private static final Duration ADAPTED = INTERVAL.multipliedBy(10);

    private final List<Contestant> contestants = new ArrayList<>();
    private final List<String> absences = new ArrayList<>();
    private final Set<String> adaptive = new HashSet<>();
    private final Path root;

    private Strategies(Path root) {
        this.root = root;
    }

    /**
     * Finds out which can take part.
     *
     * @param scale says how many are wanted
     * @param root  the directory that is served
     * @return what there is
     */
    static Strategies find(Scale scale, Path root) {
        Strategies found = new Strategies(root);
        for (ConcurrencyStrategy each : scale == Scale.SMALLEST ? OF_THE_PAPER
                : List.of(ConcurrencyStrategy.values())) {
            found.add(each);
        }
        if (scale != Scale.SMALLEST) {
            found.addAdaptive(ConcurrencyStrategy.LEADER_FOLLOWERS);
            found.addAdaptive(ConcurrencyStrategy.PROACTOR_PER_THREAD);
        }
        if (scale == Scale.FULL) {
            found.addFurtherProactors();
        }
        return found;
    }

    /** {@return those that take part} */
    List<Contestant> contestants() {
        return contestants;
    }

    /**
     * Chooses how long to load a contestant before it is measured.
     *
     * @param contestant one of those that take part
     * @param times      for those that need not change anything
     * @return as long, or long enough to adapt to the load
     */
    StrategyTrial.Times times(Contestant contestant, StrategyTrial.Times times) {
        return adaptive.contains(contestant.name()) ? times.withWarmUp(ADAPTED) : times;
    }

    /** {@return which do not take part, and why: a line each} */
    List<String> absences() {
        return absences;
    }

    private void add(ConcurrencyStrategy strategy) {
        if (strategy.unavailable() != null) {
            absences.add(strategy + ": " + strategy.unavailable());
        } else if (strategy.isConcurrent() && !hasConcurrent(strategy.mode())) {
            absences.add(strategy + ": there is no demultiplexer here that many threads can use at once");
        } else {
            contestants.add(web(strategy.toString(), strategy, Demultiplexers.AUTO));
        }
    }

    private static boolean hasConcurrent(Mode mode) {
        return Demultiplexers.available().stream().anyMatch(factory -> factory.mode() == mode
                && factory.handleSetKind() == HandleSetKind.CONCURRENT && factory.availability().usable());
    }

    /** On what is emulated; the best one is what the strategy takes by itself. */
    private void addFurtherProactors() {
        Mechanisms.ofProactor().stream().skip(1).forEach(demultiplexer -> contestants.add(
                web(ConcurrencyStrategy.PROACTOR_PER_THREAD + ", emulated on " + demultiplexer,
                        ConcurrencyStrategy.PROACTOR_PER_THREAD, demultiplexer)));
    }

    /** One of a pool, which it may resize, and one of a loop, which is left its cache and its ways to send files. */
    private void addAdaptive(ConcurrencyStrategy strategy) {
        String name = strategy + ", adaptive";
        adaptive.add(name);
        contestants.add(web(name, strategy, Demultiplexers.AUTO, "--adapt",
                Double.toString(INTERVAL.toMillis() / 1e3)));
    }

    private Contestant web(String contestant, ConcurrencyStrategy strategy, String demultiplexer, String... others) {
        List<String> options = new ArrayList<>(List.of("web", "--port", "0", "--root", root.toString(),
                "--concurrency", strategy.toString(), "--demultiplexer", demultiplexer));
        options.addAll(List.of(others));
        return new Contestant(contestant, (host, name) -> ServerProcess.java(host, "jaws " + name, List.of(),
                Main.class, options.toArray(String[]::new)));
    }
}
