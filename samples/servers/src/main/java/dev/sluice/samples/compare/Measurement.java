package dev.sluice.samples.compare;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** The measurements of a setup under a workload, in each repetition. */
final class Measurement {

    private static final int SIGNIFICANT_DIGITS = 3;
    private static final double NANOS_PER_MICRO = TimeUnit.MICROSECONDS.toNanos(1);
    private static final double PERCENT = 100;

    private final Map<Figure, List<Double>> values = new EnumMap<>(Figure.class);

    /** {@return one for latencies in nanoseconds} */
    static Histogram newHistogram() {
        return new Histogram(SIGNIFICANT_DIGITS);
    }

    /**
     * Adds a repetition.
     *
     * @param latencies of all responses
     * @param nanos     how long it took
     * @param server    what the server has used
     * @param whole     whether that includes all its threads; of those that have terminated, only the CPU time is known
     * @param cpu       what the machine and the generator have used
     */
    void add(Histogram latencies, long nanos, ServerFigures server, boolean whole, CpuTime cpu) {
        double requests = latencies.getTotalCount();
        add(Figure.REQUESTS_PER_SECOND, requests * TimeUnit.SECONDS.toNanos(1) / nanos);
        add(Figure.P50, latencies.getValueAtPercentile(50) / NANOS_PER_MICRO);
        add(Figure.P99, latencies.getValueAtPercentile(99) / NANOS_PER_MICRO);
        add(Figure.P999, latencies.getValueAtPercentile(99.9) / NANOS_PER_MICRO);
        add(Figure.SWITCHES, whole ? server.switches() / requests : Double.NaN);
        add(Figure.BYTES, whole ? server.bytes() / requests : Double.NaN);
        add(Figure.SERVER_CPU, server.cpuNanos() / requests / NANOS_PER_MICRO);
        add(Figure.GENERATOR_CPU, PERCENT * cpu.thread() / nanos);
        add(Figure.OTHERS_CPU, cpu.isOfMachine() ? PERCENT * cpu.others(server.cpuNanos()) / nanos : Double.NaN);
    }

    /** Adds the value of a figure in one more repetition. */
    void add(Figure figure, double value) {
        values.computeIfAbsent(figure, key -> new ArrayList<>()).add(value);
    }

    boolean isEmpty() {
        return values.isEmpty();
    }

    /** {@return a measured figure} */
    Spread of(Figure figure) {
        return Spread.of(values.get(figure));
    }
}
