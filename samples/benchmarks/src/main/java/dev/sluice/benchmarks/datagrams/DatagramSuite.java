package dev.sluice.benchmarks.datagrams;

import dev.sluice.benchmarks.peers.EchoServers;
import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.Preparation;
import dev.sluice.benchmarks.run.Scale;
import dev.sluice.benchmarks.run.Section;
import dev.sluice.benchmarks.run.Section.Better;
import dev.sluice.benchmarks.run.Section.Chart;
import dev.sluice.benchmarks.run.Suite;
import dev.sluice.benchmarks.run.Trial;
import dev.sluice.benchmarks.workload.Workload;
import dev.sluice.benchmarks.workload.WorkloadTrial;
import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.demultiplexer.Mechanism.Mode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Receiving bursts of datagrams, and sending them back. */
public final class DatagramSuite implements Suite {

    /** The argument of workloads for datagrams that pass the kernel joined; any other value means separate ones. */
    static final String JOINED = "joined";

    private static final String SINGLY = "singly";
    private static final String BASELINE = "java.nio Selector";
    private static final String SEVERAL = "Sluice Reactor, epoll, several at a time";
    private static final String SEVERAL_JOINED = SEVERAL + ", joined";
    private static final List<Integer> SIZES = List.of(64, 1200);

    /** Creates a suite. */
    public DatagramSuite() {
    }

    private record MeasuredPeer(String name, Class<? extends Workload> workload, Mode mode, String demultiplexer,
            List<String> arguments) {

        /** {@return the reason why it cannot take part, null if it can} */
        String missing() {
            if (mode == null) {
                return null;
            }
            for (Mechanism factory : Mechanism.available()) {
                if (factory.mode() == mode && factory.name().equals(demultiplexer)) {
                    return factory.availability().usable() ? null : factory.availability().reason();
                }
            }
            return "this system has no " + demultiplexer;
        }
    }

    private static List<MeasuredPeer> receivers() {
        return List.of(
                new MeasuredPeer(BASELINE, ChannelReceiver.class, null, null, List.of(ChannelReceiver.SELECTOR)),
                new MeasuredPeer("java.nio, blocking", ChannelReceiver.class, null, null, List.of("blocking")),
                new MeasuredPeer("Sluice Reactor, epoll", ReactiveReceiver.class, Mode.SYNCHRONOUS, "epoll",
                        List.of("single", "epoll")),
                new MeasuredPeer(SEVERAL, ReactiveReceiver.class, Mode.SYNCHRONOUS, "epoll",
                        List.of(ReactiveReceiver.BATCH, "epoll")),
                new MeasuredPeer("Sluice Proactor, io_uring", ProactiveReceiver.class, Mode.ASYNCHRONOUS, "io_uring",
                        List.of("io_uring")),
                new MeasuredPeer("Sluice Proactor, emulated on epoll", ProactiveReceiver.class, Mode.ASYNCHRONOUS,
                        "epoll", List.of("epoll")));
    }

    /** The contestants that can receive joined datagrams, and their baselines. */
    private static List<MeasuredPeer> receiversOfJoined() {
        return List.of(
                new MeasuredPeer(BASELINE, ChannelReceiver.class, null, null, List.of(ChannelReceiver.SELECTOR)),
                new MeasuredPeer(SEVERAL, ReactiveReceiver.class, Mode.SYNCHRONOUS, "epoll",
                        List.of(ReactiveReceiver.BATCH, "epoll")),
                new MeasuredPeer(SEVERAL_JOINED, ReactiveReceiver.class, Mode.SYNCHRONOUS, "epoll",
                        List.of(JOINED, "epoll")));
    }

    private static List<MeasuredPeer> reflectors() {
        return List.of(
                new MeasuredPeer(BASELINE, ChannelReflector.class, null, null, List.of()),
                new MeasuredPeer("Sluice Reactor, epoll", ReactiveReflector.class, Mode.SYNCHRONOUS, "epoll",
                        List.of("single", "epoll")),
                new MeasuredPeer(SEVERAL, ReactiveReflector.class, Mode.SYNCHRONOUS, "epoll",
                        List.of(ReactiveReceiver.BATCH, "epoll")),
                new MeasuredPeer(SEVERAL_JOINED, ReactiveReflector.class, Mode.SYNCHRONOUS, "epoll",
                        List.of(JOINED, "epoll")));
    }

    @Override
    public String name() {
        return "datagrams";
    }

    @Override
    public String summary() {
        return "bursts of datagrams over loopback: how many arrive, how fast, and what receiving and sending costs";
    }

    @Override
    public String method() {
        return """
                A thread sends 10 000 datagrams as fast as it can, one `sendto` each, to a socket whose receive buffer
                is as the system makes it. What finds no room there is dropped by the kernel and lost; the table of what
                was dropped is the kernel's own count. All contestants have the same sender, in the same process. One
                thread receives, in one of these ways: `DatagramChannel.receive`, blocking or after a Selector;
                Sluice's `SocketDatagram` in a Reactor, one datagram at a time or with `DatagramBatch` 64 at a time
                (`recvmmsg`); or 64 receives in flight on a Proactor. All learn the sender's address. Processor
                time is that of the receiving thread, with what the kernel does on its behalf. Each datagram tells its
                number at both ends: one that was not sent, or that arrives twice, fails the measurement.

                Where it says "sent joined", the sender gives the kernel 64 datagrams with one call, joined
                (`UDP_SEGMENT`). They pass the kernel together, as they do on the wire between machines whose network
                cards cut and join them, up to the socket: there each becomes a datagram of its own for those who
                receive with a call each, or several at a time. Only who receives them joined takes them as they came
                (`DatagramBatch.coalesced`, `UDP_GRO`), and takes them apart itself, each with its length and sender;
                many kernels count them as one when they drop them. `DatagramChannel` has neither.

                The second part sends back: a client sends %d datagrams with one call, and the next as many when all of
                them have come back; each has to, once. One thread receives them and sends each to where it came from:
                with `DatagramChannel.receive` and `send` after a Selector, with `SocketDatagram` in a Reactor in the
                same way, or with `DatagramBatch` and `DatagramSendBatch` up to 64 at a time (`recvmmsg`, `sendmmsg`),
                without or with joining them on both ways. All contestants have the same client, in another thread of
                the same process; "sent joined" says that it sends its datagrams joined, and takes back joined what is
                sent back joined. On loopback, sending includes all the work of delivering to the client's socket,
                which only joining makes less."""
                .formatted(ReflectionClient.BURST);
    }

    @Override
    public List<Section> sections() {
        List<Section> sections = new ArrayList<>(List.of(
                new Section(DatagramWorkload.PER_PROCESSOR_SECOND, "1/s", Better.HIGHER, BASELINE, Chart.BARS)
                        .drawing(EchoServers.REACTOR, SEVERAL, SEVERAL_JOINED, EchoServers.PROACTOR,
                                EchoServers.EMULATED, BASELINE),
                new Section(DatagramWorkload.PER_SECOND, "1/s", Better.HIGHER, BASELINE, Chart.NONE),
                new Section(DatagramWorkload.ARRIVED, "datagrams", Better.HIGHER, null, Chart.NONE)));
        if (KernelDrops.areTold()) {
            sections.add(new Section(DatagramWorkload.DROPPED, "datagrams", Better.LOWER, null, Chart.NONE));
        }
        sections.add(new Section(DatagramWorkload.ALLOCATED, "B", Better.LOWER, null, Chart.NONE));
        sections.add(new Section(ReflectorWorkload.PER_PROCESSOR_SECOND, "1/s", Better.HIGHER, BASELINE, Chart.NONE));
        sections.add(new Section(ReflectorWorkload.PER_SECOND, "1/s", Better.HIGHER, BASELINE, Chart.NONE));
        sections.add(new Section(ReflectorWorkload.ALLOCATED, "B", Better.LOWER, null, Chart.NONE));
        return sections;
    }

    @Override
    public Preparation prepare(Scale scale, Host host) {
        List<String> absences = new ArrayList<>();
        List<MeasuredPeer> receivers = present(receivers(), absences);
        List<MeasuredPeer> receiversOfJoined = present(receiversOfJoined(), new ArrayList<>());
        List<MeasuredPeer> reflectors = present(reflectors(), new ArrayList<>());
        List<Trial> trials = new ArrayList<>();
        for (int size : SIZES) {
            trials.addAll(trials("", size, SINGLY, receivers, scale, host));
        }
        for (int size : SIZES) {
            trials.addAll(trials("", size, JOINED, receiversOfJoined, scale, host));
        }
        for (String sending : List.of(SINGLY, JOINED)) {
            for (int size : SIZES) {
                trials.addAll(trials(ReflectionClient.BURST + "x", size, sending, reflectors, scale, host));
            }
        }
        return new Preparation(trials, scale.rounds(), absences);
    }

    private static List<MeasuredPeer> present(List<MeasuredPeer> contestants, List<String> absences) {
        List<MeasuredPeer> present = new ArrayList<>();
        for (MeasuredPeer contestant : contestants) {
            String missing = contestant.missing();
            if (missing == null) {
                present.add(contestant);
            } else {
                absences.add(contestant.name() + " is missing: " + missing);
            }
        }
        return present;
    }

    private static List<Trial> trials(String times, int size, String sending, List<MeasuredPeer> contestants,
            Scale scale, Host host) {
        String shape = times + size + " B" + (sending.equals(JOINED) ? ", sent joined" : "");
        List<Trial> trials = new ArrayList<>();
        for (MeasuredPeer contestant : contestants) {
            List<String> arguments = new ArrayList<>(List.of(Integer.toString(size), sending));
            arguments.addAll(contestant.arguments());
            trials.add(new WorkloadTrial(shape, contestant.name(), contestant.workload(), arguments,
                    scale.choose(Duration.ZERO, Duration.ofMillis(600), Duration.ofMillis(1200)),
                    scale.choose(Duration.ofMillis(1), Duration.ofMillis(400), Duration.ofMillis(1200)), scale, host));
        }
        return trials;
    }
}
