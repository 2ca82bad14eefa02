package dev.sluice.samples.io;

import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.samples.Setups;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.testing.Depth;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.provider.Arguments;

/** Each concurrency strategy with each of what it can run on. */
public final class Drivers {

    public static final String STRATEGIES = "dev.sluice.samples.io.Drivers#strategies";
    public static final String TRIGGERS = "dev.sluice.samples.io.Drivers#triggers";

    private Drivers() {
    }

    /** {@return strategies that this Java has} */
    public static Stream<ConcurrencyStrategy> strategies(TestInfo test) {
        return Depth.some(test, all(), 2);
    }

    private static Stream<ConcurrencyStrategy> all() {
        return Stream.of(ConcurrencyStrategy.values()).filter(each -> each.unavailable() == null);
    }

    /** {@return strategies and names of demultiplexers that differ in how they tell what is ready or done} */
    public static Stream<Arguments> triggers(TestInfo test) {
        return Depth.some(test, allTriggers(), 2);
    }

    /** {@return all of them} */
    public static Stream<Arguments> allTriggers() {
        return all().flatMap(each -> triggersOf(each).map(name -> Arguments.of(each, name)));
    }

    private static Stream<String> triggersOf(ConcurrencyStrategy concurrency) {
        return switch (concurrency) {
            case REACTOR_PER_THREAD -> Setups.triggers();
            // With a leader, and without one.
            case LEADER_FOLLOWERS -> Stream.of("epoll", "epoll-one-shot");
            case HALF_SYNC_HALF_ASYNC -> Stream.of("epoll-edge");
            // The system's own, and an emulation of it.
            case PROACTOR_PER_THREAD -> Setups.asynchronousDemultiplexers().limit(2);
            default -> Stream.of(Mechanism.AUTO);
        };
    }

    /** {@return options for a few threads instead of one or many, where a strategy lets one choose} */
    public static String[] few(ConcurrencyStrategy concurrency, String... others) {
        return Stream.concat(concurrency.defaultThreads() == 0 ? Stream.of() : Stream.of("--threads", "2"),
                Stream.of(others)).toArray(String[]::new);
    }

    /** {@return I/O strategies and setups} */
    public static Stream<Arguments> setups() {
        return Stream.of(IoStrategy.values()).flatMap(io -> setups(io).map(setup -> Arguments.of(io, setup)));
    }

    private static Stream<Setups.Setup> setups(IoStrategy io) {
        return switch (io) {
            case REACTIVE -> Setups.varied();
            case PROACTIVE -> Setups.variedAsynchronous();
            // It is not the demultiplexer that waits.
            case SYNCHRONOUS -> Setups.varied().limit(1);
        };
    }

    /** {@return each I/O strategy on the best setup, and one of them with another binding or Java} */
    public static Stream<Arguments> someSetups(TestInfo test) {
        return Stream.of(IoStrategy.values()).flatMap(io -> someSetups(test, io).map(setup -> Arguments.of(io, setup)));
    }

    private static Stream<Setups.Setup> someSetups(TestInfo test, IoStrategy io) {
        Stream<Setups.Setup> best = Depth.first(test, setups(io).filter(Setups.Setup::isBest), 1);
        Stream<Setups.Setup> others = setups(io).filter(setup -> !setup.isBest());
        return io == IoStrategy.PROACTIVE || Depth.current() == Depth.MATRIX
                ? Stream.concat(best, Depth.some(test, others, 1)) : best;
    }
}
