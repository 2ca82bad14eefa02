package dev.sluice.samples.web;

import dev.sluice.samples.Setups;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Each I/O strategy with each of what it can run on. */
final class Drivers {

    private Drivers() {
    }

    /** {@return strategies and names of demultiplexers that differ in how they tell what is ready or done} */
    static Stream<Arguments> triggers() {
        return Stream.of(IoStrategy.values()).flatMap(io -> triggers(io).map(name -> Arguments.of(io, name)));
    }

    private static Stream<String> triggers(IoStrategy io) {
        return switch (io) {
            case REACTIVE -> Setups.triggers();
            // The system's own, and an emulation of it.
            case PROACTIVE -> Setups.asynchronousDemultiplexers().limit(2);
        };
    }

    /** {@return strategies and setups} */
    static Stream<Arguments> setups() {
        return Stream.of(IoStrategy.values()).flatMap(io -> setups(io).map(setup -> Arguments.of(io, setup)));
    }

    private static Stream<Setups.Setup> setups(IoStrategy io) {
        return switch (io) {
            case REACTIVE -> Setups.varied();
            case PROACTIVE -> Setups.variedAsynchronous();
        };
    }
}
