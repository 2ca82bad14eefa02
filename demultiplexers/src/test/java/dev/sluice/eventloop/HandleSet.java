package dev.sluice.eventloop;

import static dev.sluice.demultiplexer.spi.HandleSetKind.CONCURRENT;
import static dev.sluice.demultiplexer.spi.HandleSetKind.ITERATIVE;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Platform;
import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.demultiplexer.spi.HandleSetKind;
import dev.sluice.testing.Depth;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInfo;

/**
 * A demultiplexer as a loop uses it. A concurrent one of readiness can be used as an iterative one, too.
 *
 * <p>The contracts of the demultiplexers run on each of them. A loop has code of its own only for the kind and for the
 * trigger, so in the ordinary build a loop's test runs on few, which together reach all of that code.
 *
 * @param demultiplexer the name
 * @param kind          whether one or many threads may wait
 */
public record HandleSet(String demultiplexer, HandleSetKind kind) {

    /** {@return whether many threads wait at once} */
    public boolean isConcurrent() {
        return kind == CONCURRENT;
    }

    /**
     * {@return those that a test of a reactor runs on} In the ordinary build a set that the kernel keeps, one that many
     * threads wait on and that reports a handle once, and one that is passed on with each wait. A test about what
     * edge-triggered sets need is marked to run on {@linkplain RunsOn#each each}.
     *
     * @param test the test, which may be marked with {@link RunsOn}
     */
    public static Stream<HandleSet> ofReactors(TestInfo test) {
        return chosen(test, Mode.SYNCHRONOUS, switch (Bindings.current().os()) {
            case LINUX -> List.of(new HandleSet("epoll", ITERATIVE), new HandleSet("epoll-one-shot", CONCURRENT),
                    new HandleSet("select", ITERATIVE));
            case WINDOWS -> List.of(new HandleSet("afd", ITERATIVE), new HandleSet("wfmo", CONCURRENT));
            default -> List.of(new HandleSet("kqueue", ITERATIVE), new HandleSet("kqueue-dispatch", CONCURRENT),
                    new HandleSet("select", ITERATIVE));
        });
    }

    /**
     * {@return those that a test of a pool runs on} In the ordinary build one without a leader, and with a leader one
     * that reports a handle once and a level-triggered one, which must be updated when a hook begins and ends.
     *
     * @param test the test, which may be marked with {@link RunsOn}
     */
    public static Stream<HandleSet> ofPools(TestInfo test) {
        return chosen(test, Mode.SYNCHRONOUS, switch (Bindings.current().os()) {
            case LINUX -> List.of(new HandleSet("epoll-one-shot", CONCURRENT), new HandleSet("select", ITERATIVE),
                    new HandleSet("epoll-one-shot", ITERATIVE));
            case WINDOWS -> List.of(new HandleSet("afd-one-shot", CONCURRENT), new HandleSet("wfmo", ITERATIVE));
            default -> List.of(new HandleSet("kqueue-dispatch", CONCURRENT), new HandleSet("select", ITERATIVE),
                    new HandleSet("kqueue-dispatch", ITERATIVE));
        });
    }

    /**
     * {@return those that a test of a proactor runs on} In the ordinary build one that executes the operations itself
     * and that a single thread waits on, and one for many threads over readiness.
     *
     * @param test the test, which may be marked with {@link RunsOn}
     */
    public static Stream<HandleSet> ofProactors(TestInfo test) {
        return chosen(test, Mode.ASYNCHRONOUS, switch (Bindings.current().os()) {
            case LINUX -> List.of(new HandleSet("io_uring", ITERATIVE),
                    new HandleSet("epoll-one-shot", CONCURRENT));
            case WINDOWS -> List.of(new HandleSet("iocp", CONCURRENT));
            default -> List.of(new HandleSet("kqueue", ITERATIVE),
                    new HandleSet("kqueue-dispatch", CONCURRENT));
        });
    }

    private static Stream<HandleSet> chosen(TestInfo test, Mode mode, List<HandleSet> representatives) {
        RunsOn runsOn = test.getTestClass().orElseThrow().getAnnotation(RunsOn.class);
        List<HandleSet> usable = usable(mode).stream().filter(set -> runsOn == null || set.isMeant(runsOn)).toList();
        // On Linux that is a mistake, and fails.
        assumeTrue(!usable.isEmpty() || Bindings.current().os() == Platform.Os.LINUX, "is of other demultiplexers");
        List<HandleSet> first = representatives.stream().filter(usable::contains).toList();
        boolean each = first.isEmpty() || runsOn != null && runsOn.each();
        return Depth.first(test, Stream.concat(first.stream(), usable.stream()).distinct(),
                each ? usable.size() : first.size());
    }

    private boolean isMeant(RunsOn runsOn) {
        return List.of(runsOn.value()).contains(kind) && !List.of(runsOn.not()).contains(demultiplexer)
                && (runsOn.only().length == 0 || List.of(runsOn.only()).contains(demultiplexer));
    }

    /**
     * {@return all that work here}
     *
     * @param mode what they report
     */
    public static List<HandleSet> usable(Mode mode) {
        return Mechanism.available().stream()
                .filter(factory -> factory.mode() == mode && factory.availability().usable())
                .flatMap(HandleSet::of)
                .toList();
    }

    private static Stream<HandleSet> of(Mechanism factory) {
        return Stream.of(HandleSetKind.values())
                .filter(kind -> (kind == CONCURRENT) == factory.isConcurrent()
                        || kind == ITERATIVE && factory.mode() == Mode.SYNCHRONOUS)
                .map(kind -> new HandleSet(factory.name(), kind));
    }

    /** {@return whether one thread waits at a time} */
    public boolean hasLeader() {
        return kind == ITERATIVE;
    }

    @Override
    public String toString() {
        return demultiplexer + " " + kind.name().toLowerCase();
    }
}
