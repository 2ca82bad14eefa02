package dev.sluice.samples.echo;

import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.samples.JavaHome;
import dev.sluice.samples.SampleCommand;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.testing.Depth;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInfo;

/** What the echo server is run on: each pattern on each demultiplexer that it can have, and each binding and Java. */
final class EchoServers {

    private EchoServers() {
    }

    /** A pattern or a concurrency strategy, a demultiplexer, a binding and a Java. */
    record EchoServer(String pattern, String demultiplexer, String binding, JavaHome java) {

        SampleCommand command(String... options) {
            String option = pattern.equals("reactor") || isProactor() ? "--pattern" : "--concurrency";
            Stream<String> all = Stream.of(List.of("echo", option, pattern, "--demultiplexer", demultiplexer,
                    "--native", binding), List.of(options)).flatMap(List::stream);
            return SampleCommand.of(all.toArray(String[]::new)).on(java);
        }

        private boolean isBest() {
            return java.equals(JavaHome.own()) && binding.equals(java.bindings().get(0));
        }

        boolean isProactor() {
            return pattern.equals("proactor");
        }

        @Override
        public String toString() {
            return pattern + " on " + demultiplexer + ", " + binding + ", " + java;
        }
    }

    private static Stream<EchoServer> on(JavaHome java, String binding) {
        return Mechanism.available().stream()
                .filter(factory -> factory.availability().usable())
                .map(factory -> new EchoServer(pattern(factory), factory.name(), binding, java));
    }

    private static String pattern(Mechanism factory) {
        return factory.mode() == Mode.SYNCHRONOUS ? "reactor" : "proactor";
    }

    /** {@return every pattern and demultiplexer, with the best binding} */
    static Stream<EchoServer> demultiplexers() {
        JavaHome own = JavaHome.own();
        return on(own, own.bindings().get(0));
    }

    /** {@return some of the patterns and demultiplexers} */
    static Stream<EchoServer> some(TestInfo test) {
        return Depth.some(test, demultiplexers(), 4);
    }

    /** {@return a server on readiness and one on completion, as they wait and send in different classes} */
    static Stream<EchoServer> patterns(TestInfo test) {
        return Stream.of(false, true).flatMap(isProactor -> Depth.first(test,
                kinds().filter(server -> server.isProactor() == isProactor), 1));
    }

    /** {@return those that differ most, for what takes long: each trigger, completion and its emulation} */
    static Stream<EchoServer> kinds(TestInfo test) {
        return Depth.some(test, kinds(), 2);
    }

    private static Stream<EchoServer> kinds() {
        return demultiplexers().filter(server -> server.demultiplexer().startsWith("epoll")
                || server.demultiplexer().equals("io_uring"));
    }

    /** {@return each concurrency strategy that the patterns do not have by themselves} */
    private static Stream<EchoServer> strategies() {
        JavaHome own = JavaHome.own();
        return Stream.of(ConcurrencyStrategy.values())
                .filter(each -> each.mode() == Mode.SYNCHRONOUS && each.unavailable() == null
                        && each != ConcurrencyStrategy.REACTOR_PER_THREAD)
                .map(each -> new EchoServer(each.toString(), Mechanism.AUTO, own.bindings().get(0), own));
    }

    static Stream<EchoServer> kindsAndStrategies(TestInfo test) {
        return Depth.some(test, Stream.concat(kinds(), strategies()), 2);
    }

    /** {@return those that wait for the peer's end at the stop, as a thread in poll(2) cannot} */
    static Stream<EchoServer> lingering(TestInfo test) {
        return Depth.some(test, Stream.concat(kinds(), strategies().filter(server ->
                !server.pattern().equals("thread-pool") && !server.pattern().equals("thread-per-connection"))), 2);
    }

    static Stream<EchoServer> variedAndStrategies(TestInfo test) {
        return Stream.concat(varied(test), strategies());
    }

    /** {@return every demultiplexer with the best binding, and one server with another binding and Java} */
    static Stream<EchoServer> varied(TestInfo test) {
        Stream<EchoServer> others = JavaHome.all().stream().flatMap(java -> java.bindings().stream()
                .flatMap(binding -> on(java, binding)))
                .filter(server -> !server.isBest() && (server.demultiplexer().equals("epoll")
                        || server.demultiplexer().equals("io_uring")));
        return Stream.concat(demultiplexers(), Depth.some(test, others, 1));
    }
}
