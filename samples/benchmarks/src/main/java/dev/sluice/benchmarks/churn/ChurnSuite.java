package dev.sluice.benchmarks.churn;

import dev.sluice.benchmarks.load.LoadGenerator;
import dev.sluice.benchmarks.peers.EchoServers;
import dev.sluice.benchmarks.peers.MeasuredPeer;
import dev.sluice.benchmarks.peers.RunningServers;
import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.Preparation;
import dev.sluice.benchmarks.run.Scale;
import dev.sluice.benchmarks.run.Section;
import dev.sluice.benchmarks.run.Section.Better;
import dev.sluice.benchmarks.run.Section.Chart;
import dev.sluice.benchmarks.run.Suite;
import dev.sluice.benchmarks.run.Trial;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Echo servers whose clients connect, ask once, and close. */
public final class ChurnSuite implements Suite {

    /** Creates a suite. */
    public ChurnSuite() {
    }

    @Override
    public String name() {
        return "churn";
    }

    @Override
    public String summary() {
        return "echo servers whose clients connect, send one request, get its reply, and close";
    }

    @Override
    public String method() {
        return """
                The servers and the load generator are those of the suite *servers*, in the same places. "16 at a time"
                is 16 clients, each of which connects, sends 64 bytes, waits for their echo, closes, and begins again.

                The client closes first, so that the port that has to rest for a minute is its own; it connects from 200
                addresses of the loopback interface in turn, and so does not run out of ports. On loopback the client's
                processor does most of the work of making a connection, also the server's share of the handshake. So the
                load generator is the busier side, connections per second are close together, and what tells the servers
                apart is their CPU time for each connection.""";
    }

    @Override
    public List<Section> sections() {
        return List.of(new Section(ChurnTrial.RATE, "1/s", Better.HIGHER, EchoServers.BASELINE, Chart.NONE),
                new Section(ChurnTrial.CPU, "µs", Better.LOWER, EchoServers.BASELINE, Chart.BARS)
                        .drawing(EchoServers.shown()),
                new Section(ChurnTrial.LATENCY, "µs", Better.LOWER, EchoServers.BASELINE, Chart.NONE));
    }

    @Override
    public Preparation prepare(Scale scale, Host host) throws IOException {
        EchoServers found = EchoServers.find(scale, host);
        LoadGenerator generator = LoadGenerator.start(host);
        RunningServers servers;
        try {
            servers = RunningServers.start(host, found.contestants());
        } catch (Throwable e) {
            generator.close();
            throw e;
        }
        return new Preparation(trials(scale, found, servers, generator), scale.rounds(), found.absences(), () -> {
            generator.close();
            servers.close();
        });
    }

    private static List<Trial> trials(Scale scale, EchoServers found, RunningServers servers,
            LoadGenerator generator) {
        Duration first = Duration.ofMillis(scale.choose(50, 800, 2_000));
        Duration warmUp = Duration.ofMillis(scale.choose(50, 300, 300));
        Duration measured = Duration.ofMillis(scale.choose(100, 1_000, 1_000));
        List<Trial> trials = new ArrayList<>();
        for (int clients : scale.choose(List.of(16), List.of(16), List.of(1, 16, 256))) {
            for (MeasuredPeer contestant : found.contestants()) {
                trials.add(new ChurnTrial(clients, contestant.name(), servers.of(contestant.name()), generator, first,
                        warmUp, measured));
            }
        }
        return trials;
    }
}
