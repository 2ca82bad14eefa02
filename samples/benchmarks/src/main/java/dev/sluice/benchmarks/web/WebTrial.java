package dev.sluice.benchmarks.web;

import dev.sluice.benchmarks.load.ServerCpu;
import dev.sluice.benchmarks.peers.ServerProcess;
import dev.sluice.benchmarks.run.Recorder;
import dev.sluice.benchmarks.run.Trial;
import java.io.IOException;
import java.time.Duration;

/** One web server and one page. */
final class WebTrial implements Trial {

    static final String RATE = "requests per second";
    static final String CPU = "CPU time per million requests";
    static final String LATENCY = "99th percentile of the latency";

    private static final double MILLION = 1e6;
    // What wrk needs to begin and to end.
    private static final Duration OVERHEAD = Duration.ofMillis(100);

    private final Page page;
    private final String contestant;
    private final ServerProcess server;
    private final Wrk wrk;
    private final int first;
    private final int further;
    private final int measured;
    private boolean warm;

    /**
     * Creates a trial. All times are in seconds.
     *
     * @param page       what is asked for
     * @param contestant the name of the server
     * @param server     is measured
     * @param wrk        asks
     * @param first      the length of the first warm-up
     * @param further    the length of each later warm-up
     * @param measured   the length of the measurement
     */
    WebTrial(Page page, String contestant, ServerProcess server, Wrk wrk, int first, int further, int measured) {
        this.page = page;
        this.contestant = contestant;
        this.server = server;
        this.wrk = wrk;
        this.first = first;
        this.further = further;
        this.measured = measured;
    }

    @Override
    public String scenario() {
        return page.name();
    }

    @Override
    public String contestant() {
        return contestant;
    }

    @Override
    public Duration planned() {
        return Duration.ofSeconds(further + measured).plus(OVERHEAD);
    }

    @Override
    public Duration plannedAtFirst() {
        return Duration.ofSeconds(first + measured).plus(OVERHEAD);
    }

    private int warmUp() {
        return warm ? further : first;
    }

    @Override
    public void measure(Recorder recorder) throws IOException {
        if (warmUp() > 0) {
            wrk.run(server.port(), page, warmUp());
        }
        warm = true;
        ServerCpu cpu = new ServerCpu(server.pid());
        double before = cpu.seconds();
        Wrk.Result result = wrk.run(server.port(), page, measured);
        double used = cpu.seconds() - before;
        recorder.record(RATE, result.rate());
        if (!Double.isNaN(used)) {
            recorder.record(CPU, used / result.requests() * MILLION);
        }
        if (result.p99() > 0) {
            recorder.record(LATENCY, result.p99());
        }
    }
}
