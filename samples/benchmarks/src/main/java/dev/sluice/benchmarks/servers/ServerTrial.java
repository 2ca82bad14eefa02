package dev.sluice.benchmarks.servers;

import dev.sluice.benchmarks.load.Load;
import dev.sluice.benchmarks.load.LoadGenerator;
import dev.sluice.benchmarks.load.LoadResult;
import dev.sluice.benchmarks.peers.ServerProcess;
import dev.sluice.benchmarks.run.Recorder;
import dev.sluice.benchmarks.run.Trial;
import java.io.IOException;
import java.time.Duration;

/** One server in one shape. */
final class ServerTrial implements Trial {

    static final String RATE = "messages per second";
    static final String CPU = "CPU time per million messages";
    static final String LATENCY = "99th percentile of the latency";

    private static final double MILLION = 1e6;
    // Both ends, and what the server does for each.
    private static final Duration PER_CONNECTION = Duration.ofNanos(150_000);

    private final Shape shape;
    private final String contestant;
    private final ServerProcess server;
    private final LoadGenerator generator;
    private final Times times;
    private boolean warm;

    /**
     * How long a trial takes.
     *
     * @param first    the first warm-up of a server in a shape, when it compiles what this shape needs
     * @param warmUp   any further one
     * @param measured after that
     */
    record Times(Duration first, Duration warmUp, Duration measured) {
    }

    ServerTrial(Shape shape, String contestant, ServerProcess server, LoadGenerator generator, Times times) {
        this.shape = shape;
        this.contestant = contestant;
        this.server = server;
        this.generator = generator;
        this.times = times;
    }

    @Override
    public String scenario() {
        return shape.name();
    }

    @Override
    public String contestant() {
        return contestant;
    }

    @Override
    public Duration planned() {
        return planned(times.warmUp());
    }

    @Override
    public Duration plannedAtFirst() {
        return planned(times.first());
    }

    private Duration planned(Duration warmUp) {
        return warmUp.plus(times.measured())
                .plus(PER_CONNECTION.multipliedBy(shape.connections() + shape.idle()));
    }

    @Override
    public void measure(Recorder recorder) throws IOException {
        LoadResult result = generator.measure(Load.echo(server.port(), shape.connections(), shape.size(),
                shape.depth(), shape.idle(), warm ? times.warmUp() : times.first(), times.measured(), server.pid()));
        warm = true;
        recorder.record(RATE, result.rate());
        if (result.serverCpuSeconds() != null) {
            recorder.record(CPU, result.serverCpuSeconds() / result.messages() * MILLION);
        }
        recorder.record(LATENCY, result.p99());
        recorder.record("median latency", result.p50());
        recorder.record("99.9th percentile of the latency", result.p999());
        recorder.record("share of time that the load generator was busy", result.generatorBusy());
    }
}
