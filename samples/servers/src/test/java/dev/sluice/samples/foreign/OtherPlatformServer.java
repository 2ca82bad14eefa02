package dev.sluice.samples.foreign;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Patience;
import dev.sluice.samples.SampleProcess;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * A sample that is a server, on a foreign JVM, with a client on this one.
 *
 * @param jvm     the JVM
 * @param binding the binding it uses
 */
record OtherPlatformServer(OtherPlatformJvm jvm, String binding) {

    private static final List<String> READINESS = List.of("select", "poll", "epoll", "epoll-edge", "epoll-one-shot");
    private static final List<String> COMPLETION = List.of("select", "poll", "epoll", "epoll-one-shot");

    /** What the client does. */
    interface Client {

        /** Talks to the server, and fails unless that answers as it should. */
        void talkTo(InetSocketAddress server) throws Exception;
    }

    /** Starts the sample on each demultiplexer, with what makes it use a Reactor or a Proactor. */
    void onEach(List<String> sample, List<String> reactor, List<String> proactor, Client client) throws Exception {
        for (String demultiplexer : READINESS) {
            on(demultiplexer, sample, reactor, client);
        }
        for (String demultiplexer : COMPLETION) {
            on(demultiplexer, sample, proactor, client);
        }
        System.out.println(jvm + " " + binding + " " + sample.get(0) + ": byte-exact by " + READINESS + " and "
                + COMPLETION);
    }

    /** Starts the sample on one demultiplexer. */
    void on(String demultiplexer, List<String> sample, List<String> pattern, Client client) throws Exception {
        List<String> arguments = new ArrayList<>(sample);
        arguments.addAll(pattern);
        arguments.addAll(List.of("--port", "0", "--demultiplexer", demultiplexer));
        try (SampleProcess process = SampleProcess.start(
                jvm.program(binding, OtherPlatformRun.classPath(), "dev.sluice.samples.Main", arguments),
                jvm.timeout(Patience.LIMIT))) {
            InetSocketAddress address = process.awaitAddress();
            String ready = process.awaitReadyLine();
            assertTrue(ready.contains("(" + demultiplexer) && ready.contains(" " + binding + ","), ready);
            client.talkTo(address);
            process.stop();
        }
    }

    int patienceMillis() {
        return (int) jvm.timeout(Patience.LIMIT).toMillis();
    }
}
