package dev.sluice.samples.echo;

import dev.sluice.demultiplexer.DemultiplexerFactory;
import dev.sluice.demultiplexer.DemultiplexerFactory.Mode;
import dev.sluice.demultiplexer.Demultiplexers;
import dev.sluice.samples.JavaHome;
import dev.sluice.samples.SampleCommand;
import java.util.List;
import java.util.stream.Stream;

/** What the echo server is run on: each pattern on each demultiplexer that it can have, and each binding and Java. */
final class EchoServers {

    private EchoServers() {
    }

    /** A pattern, a demultiplexer, a binding and a Java. */
    record EchoServer(String pattern, String demultiplexer, String binding, JavaHome java) {

        SampleCommand command(String... options) {
            Stream<String> all = Stream.of(List.of("echo", "--pattern", pattern, "--demultiplexer", demultiplexer,
                    "--native", binding), List.of(options)).flatMap(List::stream);
            return SampleCommand.of(all.toArray(String[]::new)).on(java);
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
        return Demultiplexers.available().stream()
                .filter(factory -> factory.availability().usable())
                .map(factory -> new EchoServer(pattern(factory), factory.name(), binding, java));
    }

    private static String pattern(DemultiplexerFactory factory) {
        return factory.mode() == Mode.SYNCHRONOUS ? "reactor" : "proactor";
    }

    /** {@return every pattern and demultiplexer, with the best binding} */
    static Stream<EchoServer> demultiplexers() {
        JavaHome own = JavaHome.own();
        return on(own, own.bindings().get(0));
    }

    /** {@return those that differ most, for what takes long: each trigger, completion and its emulation} */
    static Stream<EchoServer> kinds() {
        return demultiplexers().filter(server -> server.demultiplexer().startsWith("epoll")
                || server.demultiplexer().equals("io_uring"));
    }

    /** {@return every demultiplexer with the best binding, and every other binding and Java with some of them} */
    static Stream<EchoServer> varied() {
        Stream<EchoServer> others = JavaHome.all().stream().flatMap(java -> java.bindings().stream()
                .flatMap(binding -> on(java, binding)))
                .filter(server -> server.demultiplexer().equals("epoll")
                        || server.demultiplexer().equals("io_uring"));
        return Stream.concat(demultiplexers(), others).distinct();
    }
}
