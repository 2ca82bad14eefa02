package dev.sluice.samples.compare;

import dev.sluice.samples.concurrency.ConcurrencyModel;
import dev.sluice.samples.console.TextTable;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** All measurements. */
final class Comparison {

    private static final String NONE = "-";

    private record Cell(Setup setup, Workload workload) {
    }

    private final List<Setup> setups;
    private final List<Workload> workloads;
    private final Map<Cell, Measurement> measurements = new HashMap<>();

    Comparison(List<Setup> setups, List<Workload> workloads) {
        this.setups = setups;
        this.workloads = workloads;
    }

    List<Setup> setups() {
        return setups;
    }

    List<Workload> workloads() {
        return workloads;
    }

    /** {@return the one to add to} */
    Measurement at(Setup setup, Workload workload) {
        return measurements.computeIfAbsent(new Cell(setup, workload), cell -> new Measurement());
    }

    /** {@return the setups that have been measured under a workload} */
    Stream<Setup> measured(Workload workload) {
        return setups.stream().filter(setup -> !at(setup, workload).isEmpty());
    }

    /** {@return how many rows there will be when everything has been measured} */
    int rows() {
        return setups.size() * workloads.size();
    }

    /** {@return how many of them there cannot be yet} */
    int missingRows() {
        return rows() - (int) workloads.stream().mapToLong(workload -> measured(workload).count()).sum();
    }

    /** {@return how the model fares, on the same handle set or else on the best it has been measured on} */
    Optional<Measurement> rival(ConcurrencyModel model, Setup setup, Workload workload) {
        List<Setup> rivals = measured(workload).filter(rival -> rival.model() == model).toList();
        return rivals.stream().filter(rival -> rival.demultiplexer().equals(setup.demultiplexer())).findFirst()
                .or(() -> rivals.stream().findFirst())
                .map(rival -> at(rival, workload));
    }

    /** {@return a row per measurement, setups under the same workload together} */
    TextTable table() {
        TextTable table = new TextTable("CONNECTIONS", "CPU US", "MODEL", "HANDLE SET", "REQ/S", "P50 US", "P99 US",
                "P99.9 US", "SWITCHES/REQ", "BYTES/REQ", "SERVER CPU US/REQ", "X REACTOR", "X HALF-SYNC");
        for (Workload workload : workloads) {
            measured(workload).forEach(setup -> addRow(table, setup, workload));
        }
        return table;
    }

    private void addRow(TextTable table, Setup setup, Workload workload) {
        Measurement figures = at(setup, workload);
        table.add(Integer.toString(workload.connections()), Integer.toString(workload.cpuMicros()),
                setup.model().toString(), setup.demultiplexer(),
                text("%.0f", figures.requestsPerSecond()),
                text("%.1f", figures.latencyMicros(50)),
                text("%.1f", figures.latencyMicros(99)),
                text("%.1f", figures.latencyMicros(99.9)),
                text("%.3f", figures.switchesPerRequest()),
                text("%.1f", figures.bytesPerRequest()),
                text("%.1f", figures.cpuMicrosPerRequest()),
                timesThroughput(ConcurrencyModel.REACTOR, setup, workload),
                timesThroughput(ConcurrencyModel.HALF_SYNC_HALF_ASYNC, setup, workload));
    }

    private String timesThroughput(ConcurrencyModel model, Setup setup, Workload workload) {
        double own = at(setup, workload).requestsPerSecond();
        return rival(model, setup, workload).map(rival -> text("%.2f", own / rival.requestsPerSecond())).orElse(NONE);
    }

    private static String text(String format, double number) {
        return String.format(Locale.ROOT, format, number);
    }
}
