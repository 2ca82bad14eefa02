package dev.sluice.samples.web;

import dev.sluice.samples.Setups;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.samples.io.Drivers;
import dev.sluice.samples.io.FileIo;
import dev.sluice.samples.io.IoStrategy;
import dev.sluice.testing.Depth;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.provider.Arguments;

/**
 * What moves the octets of the web sample: one of its strategies, or the stages of Haboob. Tests that Haboob is not in
 * are about what it has none of: strategies and their pools of threads, of which controllers look after its own, and so
 * adaptation; further ports, which are for other strategies; a backlog; and files that are mapped.
 *
 * @param arguments  the sample, and the option that chooses
 * @param isStaged   whether it is Haboob
 * @param hasThreads whether one can choose how many threads there are
 * @param hasPool    whether that can change while it runs
 */
record WebDriver(List<String> arguments, boolean isStaged, boolean hasThreads, boolean hasPool) {

    static final String STRATEGIES = "dev.sluice.samples.web.WebDriver#strategies";
    static final String TRIGGERS = "dev.sluice.samples.web.WebDriver#triggers";
    static final String SETUPS = "dev.sluice.samples.web.WebDriver#setups";
    static final String IO = "dev.sluice.samples.web.WebDriver#io";
    static final String WAYS = "dev.sluice.samples.web.WebDriver#ways";
    static final String ONE = "dev.sluice.samples.web.WebDriver#one";
    static final String TWO = "dev.sluice.samples.web.WebDriver#two";
    static final String BOTH = "dev.sluice.samples.web.WebDriver#both";

    private static final List<String> STRATEGY_OPTIONS = List.of("--file-io", "--threads");

    static WebDriver of(ConcurrencyStrategy concurrency) {
        return new WebDriver(List.of("web", "--concurrency", concurrency.toString()), false,
                concurrency.defaultThreads() != 0, concurrency.fixedThreads() == null);
    }

    static WebDriver of(IoStrategy io) {
        return new WebDriver(List.of("web", "--io", io.toString()), false, io.usual().defaultThreads() != 0,
                io.usual().fixedThreads() == null);
    }

    private static WebDriver haboob(String stages) {
        return new WebDriver(List.of("haboob", "--stages", stages), true, false, false);
    }

    /** {@return Haboob in both forms} */
    static Stream<WebDriver> haboobs() {
        return Stream.of(haboob("coarse"), haboob("paper"));
    }

    /** {@return some strategies, and Haboob in one of its forms} */
    static Stream<WebDriver> strategies(TestInfo test) {
        return orFirst(test, Stream.concat(
                Depth.some(test, Drivers.strategies(test), 1).map(WebDriver::of), oneOf(test)));
    }

    /** {@return the drivers, or only the first one in a quick run} */
    private static <T> Stream<T> orFirst(TestInfo test, Stream<T> drivers) {
        return Depth.first(test, drivers, Integer.MAX_VALUE);
    }

    /** {@return the form that is the test's, always the same} */
    static Stream<WebDriver> oneOf(TestInfo test) {
        int index = Math.floorMod(test.getTestMethod().orElseThrow().getName().hashCode(), 2);
        return haboobs().skip(index).limit(1);
    }

    /**
     * {@return some strategies with demultiplexers, and Haboob on the best one and on an emulation} With few stages
     * that are thread boundaries: pipelined requests, each of which goes through four threads, would take long.
     */
    static Stream<Arguments> triggers(TestInfo test) {
        return Stream.concat(
                Drivers.triggers(test).map(each -> Arguments.of(of((ConcurrencyStrategy) each.get()[0]),
                        each.get()[1])),
                Depth.some(test, Setups.asynchronousDemultiplexers().limit(2), 1)
                        .map(name -> Arguments.of(haboob("coarse"), name)));
    }

    /** {@return each kind of I/O on the best setup, and one with another binding or Java; all setups in a matrix} */
    static Stream<Arguments> setups(TestInfo test) {
        return Stream.concat(
                Drivers.someSetups(test).map(each -> Arguments.of(of((IoStrategy) each.get()[0]), each.get()[1])),
                Depth.first(test, Setups.variedAsynchronous(), 1).map(setup -> Arguments.of(haboob("coarse"), setup)));
    }

    /**
     * {@return the usual strategy, and Haboob in one of its forms} For what is the same whatever moves the octets, but
     * has to get to the server by its options, or through its stages.
     */
    static Stream<WebDriver> both(TestInfo test) {
        return orFirst(test, Stream.concat(Stream.of(of(ConcurrencyStrategy.REACTOR_PER_THREAD)), oneOf(test)));
    }

    /** {@return one kind of I/O, or Haboob, for what takes long and differs in nothing} */
    static Stream<WebDriver> one(TestInfo test) {
        return Depth.some(test, Stream.concat(io(), oneOf(test)), 1);
    }

    /** {@return two kinds of I/O, or one and Haboob, for what takes long and differs in little} */
    static Stream<WebDriver> two(TestInfo test) {
        return Depth.some(test, Stream.concat(io(), oneOf(test)), 2);
    }

    /** {@return each kind of I/O} */
    static Stream<WebDriver> io() {
        return Stream.of(IoStrategy.values()).map(WebDriver::of);
    }

    /** {@return each kind of I/O, and Haboob in both forms} */
    static Stream<WebDriver> all() {
        return Stream.concat(io(), haboobs());
    }

    /** {@return each kind of I/O, and Haboob in one of its forms} */
    static Stream<WebDriver> ways(TestInfo test) {
        return orFirst(test, Stream.concat(io(), oneOf(test)));
    }

    /** {@return each kind of I/O, and Haboob} */
    static List<WebDriver> each() {
        return Stream.concat(Stream.of(IoStrategy.values()).map(WebDriver::of), haboobs().limit(1)).toList();
    }

    /** {@return the ways of a file that it has a choice of} */
    FileIo[] fileIo() {
        return isStaged ? new FileIo[] {FileIo.READ} : FileIo.values();
    }

    /** {@return options for a few threads instead of one or many, where one can choose} */
    String[] few(String... others) {
        return Stream.concat(hasThreads ? Stream.of("--threads", "2") : Stream.of(), Stream.of(others))
                .toArray(String[]::new);
    }

    /** {@return the command line with these options, without those that it has no use for} */
    String[] command(String... options) {
        List<String> all = new ArrayList<>(arguments);
        all.addAll(List.of("--port", "0"));
        for (int i = 0; i < options.length; i++) {
            if (isStaged && STRATEGY_OPTIONS.contains(options[i])) {
                i++;
            } else {
                all.add(options[i]);
            }
        }
        return all.toArray(String[]::new);
    }

    @Override
    public String toString() {
        return String.join(" ", arguments);
    }
}
