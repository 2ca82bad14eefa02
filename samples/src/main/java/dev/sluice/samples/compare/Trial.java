package dev.sluice.samples.compare;

import dev.sluice.samples.console.Progress;
import java.io.IOException;
import java.time.Duration;
import org.HdrHistogram.Histogram;

/** One setup, started, under all workloads. */
final class Trial {

    /** What starting a server, connecting and ending take, roughly. */
    private static final Duration OVERHEAD = Duration.ofSeconds(1);

    private final Comparison comparison;
    private final int threads;
    private final int handleSets;
    private final Duration warmUp;
    private final Duration duration;
    private final double unitsPerMicro;

    /**
     * Calibrates the busy work.
     *
     * @param comparison takes the figures
     * @param threads    of a server
     * @param handleSets of a server, where the model has several
     * @param warmUp     for all workloads together
     * @param duration   of each measurement
     */
    Trial(Comparison comparison, int threads, int handleSets, Duration warmUp, Duration duration) throws IOException {
        this.unitsPerMicro = BusyWork.unitsPerMicro();
        this.comparison = comparison;
        this.threads = threads;
        this.handleSets = handleSets;
        this.warmUp = warmUp.dividedBy(comparison.workloads().size());
        this.duration = duration;
    }

    /** {@return how long one takes} */
    Duration estimate() {
        return preparation().plus(duration.multipliedBy(comparison.workloads().size()));
    }

    private Duration preparation() {
        return OVERHEAD.plus(warmUp.multipliedBy(comparison.workloads().size()));
    }

    /**
     * Measures.
     *
     * @param setup        what is started
     * @param progress     told of each measurement
     * @param interruption may end the server, which makes this fail
     */
    void run(Setup setup, Progress progress, Interruption interruption) throws IOException {
        try (ServerProcess server = ServerProcess.start(setup, threads, handleSets, interruption)) {
            for (Workload workload : comparison.workloads()) {
                try (LoadGenerator load = new LoadGenerator(server.address(), workload.connections())) {
                    load.run(units(workload), warmUp, Measurement.newHistogram());
                }
            }
            progress.prepared(preparation());
            for (Workload workload : comparison.workloads()) {
                measure(setup, workload, server);
                progress.measured(duration);
            }
        } catch (IOException e) {
            throw new IOException(setup + ": " + e.getMessage(), e);
        }
    }

    private void measure(Setup setup, Workload workload, ServerProcess server) throws IOException {
        try (LoadGenerator load = new LoadGenerator(server.address(), workload.connections())) {
            // Once round all connections, so that the server has accepted them.
            load.run(0, Duration.ZERO, Measurement.newHistogram());
            Histogram latencies = Measurement.newHistogram();
            ServerFigures before = server.figures();
            CpuTime cpu = CpuTime.now();
            long nanos = load.run(units(workload), duration, latencies);
            CpuTime used = CpuTime.now().minus(cpu);
            comparison.at(setup, workload).add(latencies, nanos, server.figures().minus(before), used);
        }
    }

    private int units(Workload workload) {
        return (int) Math.round(workload.cpuMicros() * unitsPerMicro);
    }
}
