package dev.sluice.samples;

import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInfo;

/** What samples are run on: each demultiplexer, and each binding and Java. */
public final class Setups {

    private Setups() {
    }

    /** A Java, a binding and a demultiplexer. */
    public record Setup(JavaHome java, String binding, String demultiplexer) {

        public SampleCommand command(String... arguments) {
            String[] all = Stream.concat(Stream.of(arguments),
                    Stream.of("--native", binding, "--demultiplexer", demultiplexer)).toArray(String[]::new);
            return SampleCommand.of(all).on(java);
        }

        /** Starts a sample in a JVM of this kind, which it shares with others. */
        public RunningSample start(SampleHosts hosts, String... arguments) throws IOException {
            return hosts.start(java, binding, Stream.concat(Stream.of(arguments),
                    Stream.of("--demultiplexer", demultiplexer)).toArray(String[]::new));
        }

        /** {@return whether it is on the tests' own Java, with the best binding there} */
        public boolean isBest() {
            return java.equals(JavaHome.own()) && binding.equals(java.bindings().get(0));
        }

        @Override
        public String toString() {
            return demultiplexer + ", " + binding + ", " + java;
        }
    }

    /** {@return every synchronous demultiplexer that is usable here, best first} */
    public static Stream<String> demultiplexers() {
        return usable(Mode.SYNCHRONOUS);
    }

    /** {@return every asynchronous demultiplexer that is usable here, best first} */
    public static Stream<String> asynchronousDemultiplexers() {
        return usable(Mode.ASYNCHRONOUS);
    }

    private static Stream<String> usable(Mode mode) {
        return Mechanism.available().stream()
                .filter(factory -> factory.mode() == mode && factory.availability().usable())
                .map(Mechanism::name);
    }

    /** {@return one demultiplexer of each trigger, for what takes long and differs in little else} */
    public static Stream<String> triggers() {
        return Stream.of("epoll", "epoll-edge", "epoll-one-shot");
    }

    /** {@return one trigger: edges, which find each handler that does not receive or send until the socket blocks} */
    public static Stream<String> hardestTrigger(TestInfo test) {
        return Depth.first(test, Stream.of("epoll-edge", "epoll-one-shot", "epoll"), 1);
    }

    /** {@return two of the synchronous demultiplexers, for servers that do not know theirs} */
    public static Stream<String> someDemultiplexers(TestInfo test) {
        return Depth.some(test, demultiplexers(), 2);
    }

    /** {@return every combination} */
    public static Stream<Setup> all() {
        return combinations(Mode.SYNCHRONOUS);
    }

    private static Stream<Setup> combinations(Mode mode) {
        return JavaHome.all().stream().flatMap(java -> java.bindings().stream()
                .flatMap(binding -> usable(mode).map(name -> new Setup(java, binding, name))));
    }

    /** {@return every demultiplexer with the best binding, and every other binding and Java with one of them} */
    public static Stream<Setup> varied() {
        return spread(combinations(Mode.SYNCHRONOUS), "epoll");
    }

    /** {@return the same of the asynchronous demultiplexers} */
    public static Stream<Setup> variedAsynchronous() {
        return usable(Mode.ASYNCHRONOUS).findFirst().stream()
                .flatMap(best -> spread(combinations(Mode.ASYNCHRONOUS), best));
    }

    private static Stream<Setup> spread(Stream<Setup> all, String everywhere) {
        return all.filter(setup -> setup.demultiplexer().equals(everywhere) || setup.isBest());
    }
}
