package dev.sluice.benchmarks.churn;

import dev.sluice.benchmarks.load.Load;
import dev.sluice.benchmarks.load.LoadGenerator;
import dev.sluice.benchmarks.load.LoadResult;
import dev.sluice.benchmarks.peers.ServerProcess;
import dev.sluice.benchmarks.run.Recorder;
import dev.sluice.benchmarks.run.Trial;
import java.io.IOException;
import java.time.Duration;

/** One server, and some clients that come and go. */
final class ChurnTrial implements Trial {

    static final String RATE = "connections per second";
    static final String CPU = "CPU time per connection";
    static final String LATENCY = "99th percentile of the time that a connection takes";

    private static final int MESSAGE_SIZE = 64;
    private static final double MICROSECONDS = 1e6;

    private final int clients;
    private final String contestant;
    private final ServerProcess server;
    private final LoadGenerator generator;
    private final Duration first;
    private final Duration further;
    private final Duration measured;
    private boolean warm;

    /**
     * Creates a trial.
     *
     * @param clients    the number of concurrent clients
     * @param contestant the name of the server
     * @param server     is measured
     * @param generator  has the clients
     * @param first      the length of the first warm-up
     * @param further    the length of each later warm-up
     * @param measured   the length of the measurement
     */
    ChurnTrial(int clients, String contestant, ServerProcess server, LoadGenerator generator, Duration first,
            Duration further, Duration measured) {
        this.clients = clients;
        this.contestant = contestant;
        this.server = server;
        this.generator = generator;
        this.first = first;
        this.further = further;
        this.measured = measured;
    }

    @Override
    public String scenario() {
        return clients + " at a time";
    }

    @Override
    public String contestant() {
        return contestant;
    }

    @Override
    public Duration planned() {
        return further.plus(measured);
    }

    @Override
    public Duration plannedAtFirst() {
        return first.plus(measured);
    }

    private Duration warmUp() {
        return warm ? further : first;
    }

    @Override
    public void measure(Recorder recorder) throws IOException {
        LoadResult result = generator.measure(
                Load.churn(server.port(), clients, MESSAGE_SIZE, warmUp(), measured, server.pid()));
        warm = true;
        recorder.record(RATE, result.rate());
        if (result.serverCpuSeconds() != null) {
            recorder.record(CPU, result.serverCpuSeconds() / result.messages() * MICROSECONDS);
        }
        recorder.record(LATENCY, result.p99());
        recorder.record("share of time that the load generator was busy", result.generatorBusy());
    }
}
