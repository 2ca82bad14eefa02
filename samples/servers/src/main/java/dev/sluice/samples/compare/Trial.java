package dev.sluice.samples.compare;

import dev.sluice.samples.console.Progress;
import dev.sluice.samples.server.FileProblem;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.HdrHistogram.Histogram;

/** One setup, started, under all workloads that it serves. */
final class Trial {

    /** Approximate time for starting a server, connecting and ending. */
    private static final Duration OVERHEAD = Duration.ofSeconds(1);

    private final Comparison comparison;
    private final Duration warmUp;
    private final Duration duration;
    private final double unitsPerMicro;

    /**
     * Calibrates the busy work.
     *
     * @param comparison takes the figures
     * @param warmUp     for all workloads together
     * @param duration   of each measurement
     */
    Trial(Comparison comparison, Duration warmUp, Duration duration) throws IOException {
        this.unitsPerMicro = BusyWork.unitsPerMicro();
        this.comparison = comparison;
        this.warmUp = warmUp;
        this.duration = duration;
    }

    /** {@return the approximate duration of the trial of a setup} */
    Duration estimate(Setup setup) {
        return preparation().plus(duration.multipliedBy(comparison.workloads(setup).size()));
    }

    private Duration preparation() {
        return OVERHEAD.plus(warmUp);
    }

    /**
     * Measures.
     *
     * @param setup        what is started
     * @param progress     notified of each measurement
     * @param interruption may end the server, which makes this fail
     */
    void run(Setup setup, Progress progress, Interruption interruption) throws IOException {
        try (ServerProcess server = ServerProcess.start(setup, interruption)) {
            List<Workload> workloads = comparison.workloads(setup);
            Duration each = warmUp.dividedBy(workloads.size());
            for (Workload workload : workloads) {
                try (LoadGenerator load = new LoadGenerator(server.address(), workload.connections())) {
                    load.run(units(workload), each, Measurement.newHistogram());
                }
            }
            progress.prepared(preparation());
            for (Workload workload : workloads) {
                measure(setup, workload, server);
                progress.measured(duration);
            }
        } catch (IOException e) {
            throw new IOException(setup + ": " + FileProblem.describe(e), e);
        }
    }

    private void measure(Setup setup, Workload workload, ServerProcess server) throws IOException {
        try (LoadGenerator load = new LoadGenerator(server.address(), workload.connections())) {
            // One request on each connection, so that the server has accepted them.
            load.run(0, Duration.ZERO, Measurement.newHistogram());
            Histogram latencies = Measurement.newHistogram();
            ServerFigures before = server.figures();
            CpuTime cpu = CpuTime.now();
            long nanos = load.run(units(workload), duration, latencies);
            CpuTime used = CpuTime.now().minus(cpu);
            comparison.at(setup, workload).add(latencies, nanos, server.figures().minus(before),
                    !setup.strategy().endsThreads(), used);
        }
    }

    private int units(Workload workload) {
        return (int) Math.round(workload.cpuMicros() * unitsPerMicro);
    }
}
