package dev.sluice.benchmarks.roundtrip;

import dev.sluice.benchmarks.jmh.JmhTrial;
import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.Mechanisms;
import dev.sluice.benchmarks.run.Preparation;
import dev.sluice.benchmarks.run.Scale;
import dev.sluice.benchmarks.run.Section;
import dev.sluice.benchmarks.run.Section.Better;
import dev.sluice.benchmarks.run.Section.Chart;
import dev.sluice.benchmarks.run.Suite;
import dev.sluice.benchmarks.run.Trial;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One message there and back. */
public final class RoundTripSuite implements Suite {

    private static final int ROUNDS = 7;
    private static final String SOCKET_CHANNEL = "java.nio SocketChannel";
    private static final String SELECTOR = "java.nio Selector";
    private static final String AIO = "java.nio AIO";
    private static final int SMALL = 64;
    private static final int KIB = 1024;
    private static final int LARGE = 16 * KIB;

    /** What the servers have in common that are compared. */
    private enum Style {
        BLOCKING("blocking server", SOCKET_CHANNEL),
        READINESS("server on readiness", SELECTOR),
        COMPLETION("server on completion", AIO);

        private final String title;
        private final String peer;

        Style(String title, String peer) {
            this.title = title;
            this.peer = peer;
        }

        String time() {
            return "round trip, " + title;
        }

        String allocated() {
            return "allocated per round trip, " + title;
        }
    }

    private record MeasuredPeer(Style style, String name, ServerKind kind, String demultiplexer) {
    }

    /** Creates a suite. */
    public RoundTripSuite() {
    }

    @Override
    public String name() {
        return "round-trip";
    }

    @Override
    public String summary() {
        return "one message to an echo server and back: blocking, on readiness and on completion, beside java.nio";
    }

    @Override
    public String method() {
        return """
                A client and an echo server are two threads of one Java, with one connection between them. The client is
                the same for all, a blocking channel of java.nio, so that what differs is the server alone; it numbers
                its messages, waits for each reply, and compares all of its bytes. TCP connections send without delay
                (`TCP_NODELAY`), all buffers are direct.

                The *blocking* servers know the length of the messages, and receive just that; Sluice's never block in
                the call that receives, so they make two more calls where the message has not come yet. The servers on
                *readiness* receive as much as there is and send it in the same turn of their loop; the Selector is used
                with `select(action)`. On *completion*, the Proactor receives continuously and sends each buffer as it
                comes, and the asynchronous channel, in a group with one thread, reads and writes in turn. The
                asynchronous channels of java.nio know TCP alone.

                Both threads are kept on one processor (on Linux): a processor that falls idle whenever its thread waits
                has to be woken up twice for each message, which takes up to ten times as long as the rest, and from
                each round to the next a different time. So this is the time of the calls, and of two changes from one
                thread to the other. Bytes allocated are those of both threads; the client allocates none.""";
    }

    @Override
    public List<Section> sections() {
        List<Section> sections = new ArrayList<>();
        for (Style style : Style.values()) {
            sections.add(new Section(style.time(), "µs", Better.LOWER, style.peer,
                    style == Style.READINESS ? Chart.BARS : Chart.NONE));
        }
        for (Style style : Style.values()) {
            sections.add(new Section(style.allocated(), "B", Better.LOWER, null, Chart.NONE));
        }
        return sections;
    }

    @Override
    public Preparation prepare(Scale scale, Host host) {
        List<Trial> trials = new ArrayList<>();
        List<MeasuredPeer> contestants = contestants();
        for (Transport transport : Transport.values()) {
            for (int size : scale.choose(List.of(SMALL), List.of(SMALL, LARGE), List.of(SMALL, LARGE))) {
                contestants.stream()
                        .filter(contestant -> canUse(contestant.style(), transport))
                        .map(contestant -> trial(contestant, transport, size, scale, host))
                        .forEach(trials::add);
            }
        }
        return new Preparation(trials, scale.choose(1, 1, ROUNDS), Mechanisms.missingForProactor());
    }

    private static List<MeasuredPeer> contestants() {
        List<MeasuredPeer> contestants = new ArrayList<>();
        contestants.add(new MeasuredPeer(Style.BLOCKING, "Sluice SocketStream", ServerKind.SOCKET_STREAM, ""));
        contestants.add(new MeasuredPeer(Style.BLOCKING, SOCKET_CHANNEL, ServerKind.SOCKET_CHANNEL, ""));
        String readiness = Mechanisms.ofReactor();
        contestants.add(
                new MeasuredPeer(Style.READINESS, Mechanisms.reactor(readiness), ServerKind.REACTOR, readiness));
        contestants.add(new MeasuredPeer(Style.READINESS, SELECTOR, ServerKind.SELECTOR, ""));
        for (String completion : Mechanisms.ofProactor()) {
            contestants.add(new MeasuredPeer(Style.COMPLETION, Mechanisms.proactor(completion), ServerKind.PROACTOR,
                    completion));
        }
        contestants.add(new MeasuredPeer(Style.COMPLETION, AIO, ServerKind.ASYNCHRONOUS_CHANNEL, ""));
        return contestants;
    }

    private static boolean canUse(Style style, Transport transport) {
        return switch (transport) {
            case TCP -> true;
            case UNIX -> style != Style.COMPLETION;
            case UDP -> style == Style.READINESS;
        };
    }

    private static Trial trial(MeasuredPeer contestant, Transport transport, int size, Scale scale, Host host) {
        String scenario = transport.title() + ", " + (size < KIB ? size + " B" : size / KIB + " KiB");
        Map<String, String> parameters = Map.of("server", contestant.kind().name(),
                "demultiplexer", contestant.demultiplexer(),
                "transport", transport.name(),
                "size", Integer.toString(size));
        return new JmhTrial(scenario, contestant.name(), RoundTrip.class, "roundTrip", parameters,
                contestant.style().time(), contestant.style().allocated(), scale, host)
                .warmingUp(scale.choose(Duration.ZERO, Duration.ofSeconds(1), Duration.ofSeconds(2)));
    }
}
