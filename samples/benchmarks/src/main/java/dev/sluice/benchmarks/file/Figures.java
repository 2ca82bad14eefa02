package dev.sluice.benchmarks.file;

import dev.sluice.benchmarks.run.Recorder;
import dev.sluice.benchmarks.run.Section;
import dev.sluice.benchmarks.run.Section.Better;
import dev.sluice.benchmarks.run.Section.Chart;
import dev.sluice.benchmarks.workload.Meter;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.IntCountsHistogram;

/**
 * The figures of one question. Those of the question of the suite have the names that workloads give them, those of the
 * others a prefix.
 *
 * @param prefix of their names; empty if there is none
 */
record Figures(String prefix) {

    static final String PER_SECOND = "operations per second";
    static final String PER_PROCESSOR_SECOND = "operations per CPU second";
    static final String PROCESSOR = "CPU time per operation";
    static final String BYTES = "MiB per second";
    static final String MEDIAN = "median latency";
    static final String HIGH = "99th percentile of the latency";
    static final String HIGHEST = "99.9th percentile of the latency";
    static final String ALLOCATED = "allocated per operation";
    static final String COMPUTED = "computations beside them per second";

    private static final double SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final double MICROSECOND = TimeUnit.MICROSECONDS.toNanos(1);
    private static final double MEBIBYTE = 1 << 20;

    /**
     * Records what a process has done and used.
     *
     * @param meter      of the process, since the first operation
     * @param operations the number of operations that have ended
     * @param size       of each, in bytes
     * @param recorder   takes the figures
     */
    static void record(Meter meter, long operations, int size, Recorder recorder) {
        long nanos = meter.nanos();
        record(operations, nanos, meter.processorNanos(), size, recorder);
        recorder.record(ALLOCATED, meter.allocated() / (double) operations);
    }

    /**
     * Records the rates of operations.
     *
     * @param operations     the number of operations that have ended
     * @param nanos          how long that took
     * @param processorNanos the CPU time
     * @param size           of each operation, in bytes
     * @param recorder       takes the figures
     */
    static void record(long operations, long nanos, long processorNanos, int size, Recorder recorder) {
        recorder.record(PER_SECOND, operations * SECOND / nanos);
        recorder.record(BYTES, operations * SECOND / nanos * size / MEBIBYTE);
        recorder.record(PER_PROCESSOR_SECOND, operations * SECOND / processorNanos);
        recorder.record(PROCESSOR, processorNanos / MICROSECOND / operations);
    }

    static void recordLatencies(IntCountsHistogram nanos, Recorder recorder) {
        recorder.record(MEDIAN, nanos.getValueAtPercentile(50) / MICROSECOND);
        recorder.record(HIGH, nanos.getValueAtPercentile(99) / MICROSECOND);
        recorder.record(HIGHEST, nanos.getValueAtPercentile(99.9) / MICROSECOND);
    }

    /** {@return the name of a figure in this question} */
    String named(String figure) {
        return prefix + figure;
    }

    /** {@return a recorder that gives the figures of a workload the names of this question} */
    Recorder to(Recorder recorder) {
        return new Recorder() {
            @Override
            public void record(String figure, double value) {
                recorder.record(named(figure), value);
            }

            @Override
            public void recordAt(String at, String figure, double value) {
                recorder.recordAt(at, named(figure), value);
            }
        };
    }

    /** {@return the table of a figure} */
    Section section(String figure, String unit, Better better, String baseline, Chart chart) {
        return new Section(named(figure), unit, better, baseline, chart);
    }

    /** {@return the table of the CPU time} */
    Section processor(String baseline) {
        return section(PROCESSOR, "µs", Better.LOWER, baseline, Chart.NONE);
    }

    /** {@return the tables of the latencies} */
    List<Section> latencies(String baseline) {
        return List.of(section(MEDIAN, "µs", Better.LOWER, baseline, Chart.NONE),
                section(HIGH, "µs", Better.LOWER, baseline, Chart.NONE),
                section(HIGHEST, "µs", Better.LOWER, baseline, Chart.NONE));
    }
}
