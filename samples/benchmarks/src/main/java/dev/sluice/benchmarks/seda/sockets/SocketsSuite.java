package dev.sluice.benchmarks.seda.sockets;

import dev.sluice.benchmarks.load.LoadGenerator;
import dev.sluice.benchmarks.peers.MeasuredPeer;
import dev.sluice.benchmarks.peers.ServerProcess;
import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.Preparation;
import dev.sluice.benchmarks.run.Scale;
import dev.sluice.benchmarks.run.Section;
import dev.sluice.benchmarks.run.Section.Better;
import dev.sluice.benchmarks.run.Section.Chart;
import dev.sluice.benchmarks.run.Suite;
import dev.sluice.benchmarks.run.Target;
import dev.sluice.benchmarks.run.Trial;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Socket stages, beside a bare Proactor and threads. */
public final class SocketsSuite implements Suite {

    private static final String BASELINE = "Sluice Proactor";
    private static final String STAGES = "Sluice stages";
    private static final String DIRECT = "Sluice stages, direct";
    private static final int MAX_CONNECTIONS = 8_192;
    private static final int PACKETS = 1_000;
    private static final int ROUNDS = 3;
    private static final List<String> HEAP = List.of("-Xms512m", "-Xmx512m");

    /** Creates a suite. */
    public SocketsSuite() {
    }

    @Override
    public String name() {
        return "seda-sockets";
    }

    @Override
    public String summary() {
        return "1 to 8192 connections that send bursts of 8 KiB packets: socket stages, a bare Proactor, and threads";
    }

    @Override
    public String method() {
        return """
                Figure 11 of the paper. Each connection sends %,d packets of %d KiB as fast as it can, waits for an
                acknowledgement of 32 bytes, and begins again. Client and server add up the bytes and their checksum
                (CRC32C); each acknowledgement has what the server has got, also a last one at the end, and if it is
                not what was sent, the measurement is void. The server is a process on processor 0, started for each
                measurement; the load generator is one on processor 1. What counts as sent is what its system has taken:
                up to 128 connections their send buffers are what the system makes of them, and with more 64 MiB are
                divided among them, so that little of what counts is still there; but each has 16 KiB at least.

                *Sluice stages* reads by the socket stages, and a stage with a thread of its own adds up; if it is
                *direct*, they call it. Packets are lent to it in the Proactor's buffers; *copies* are what it gets
                without asking for that. *Sluice Proactor* adds up in its hooks, so that one thread does all. The others
                have a blocking thread for each connection, which reads up to 16 KiB at once."""
                .formatted(PACKETS, BurstTrial.PACKET / 1024);
    }

    @Override
    public List<Section> sections() {
        String scenario = BurstTrial.scenario(MAX_CONNECTIONS);
        return List.of(new Section(BurstTrial.RATE, "Mbit/s", Better.HIGHER, BASELINE, Chart.LINES).with(
                        Target.times(STAGES, 0.9, BASELINE), Target.times(DIRECT, 0.9, BASELINE),
                        Target.ofOwnBest(STAGES, 0.8).in(scenario), Target.ofOwnBest(DIRECT, 0.8).in(scenario)),
                new Section(BurstTrial.CPU, "s", Better.LOWER, BASELINE, Chart.NONE));
    }

    @Override
    public Duration estimate(Scale scale, Host host) {
        return scale.choose(Duration.ofSeconds(7), Duration.ofSeconds(50), Duration.ofMinutes(11));
    }

    @Override
    public Preparation prepare(Scale scale, Host host) throws IOException {
        LoadGenerator generator = LoadGenerator.start(host);
        // The compiler has only the server's processor, and most to do for stages.
        Duration warmUp = scale.choose(Duration.ofMillis(20), Duration.ofSeconds(2), Duration.ofSeconds(2));
        Duration measured = scale.choose(Duration.ofMillis(50), Duration.ofMillis(500), Duration.ofSeconds(2));
        // At the smallest scale, too, there is to be a whole burst.
        int packets = scale.choose(2, PACKETS, PACKETS);
        List<Trial> trials = new ArrayList<>();
        for (int connections : scale.choose(List.of(2), List.of(64, 1_024),
                List.of(1, 8, 64, 512, 1_024, 4_096, MAX_CONNECTIONS))) {
            for (MeasuredPeer contestant : contestants((long) packets * BurstTrial.PACKET)) {
                trials.add(new BurstTrial(contestant.name(), connections, packets, contestant, generator, host, warmUp,
                        measured));
            }
        }
        return new Preparation(trials, scale.choose(1, 1, ROUNDS), List.of(), generator);
    }

    private static List<MeasuredPeer> contestants(long burst) {
        return List.of(
                stages(STAGES, burst, StageServer.OWN_THREAD, StageServer.LENT),
                stages(DIRECT, burst, StageServer.DIRECT, StageServer.LENT),
                stages("Sluice stages, copies", burst, StageServer.OWN_THREAD, StageServer.COPIED),
                server(BASELINE, ProactorServer.class, Long.toString(burst)),
                server("platform threads", ThreadServer.class, Long.toString(burst), ThreadServer.PLATFORM),
                server("virtual threads", ThreadServer.class, Long.toString(burst), ThreadServer.VIRTUAL));
    }

    private static MeasuredPeer stages(String contestant, long burst, String running, String packets) {
        return server(contestant, StageServer.class, Long.toString(burst), running, packets);
    }

    private static MeasuredPeer server(String contestant, Class<?> main, String... arguments) {
        return new MeasuredPeer(contestant,
                (host, name) -> ServerProcess.java(host, "sockets " + name, HEAP, main, arguments));
    }
}
