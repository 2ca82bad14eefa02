package dev.sluice.samples.compare;

import dev.sluice.samples.concurrency.ConcurrencyModel;
import dev.sluice.samples.console.TextTable;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/** All measurements. */
final class Comparison {

    private static final String[] AXES =
            {"CONNECTIONS", "CPU US", "MODEL", "HANDLE SET", "KIND", "ORDER", "PROMOTION"};
    /** What is printed with its spread, as conclusions are drawn from it. */
    private static final Set<Figure> WITH_SPREAD =
            EnumSet.of(Figure.REQUESTS_PER_SECOND, Figure.P50, Figure.P99, Figure.SWITCHES);
    private static final String UNDECIDED = "~";

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

    /** {@return a row per measurement for people, setups under the same workload together} */
    TextTable table() {
        List<String> header = new ArrayList<>(List.of(AXES));
        for (Figure figure : Figure.values()) {
            header.add(figure.column());
            if (WITH_SPREAD.contains(figure)) {
                header.add("+-%");
            }
        }
        header.addAll(List.of("X REACTOR", "X HALF-SYNC"));
        TextTable table = new TextTable(header.toArray(String[]::new));
        forEachRow((setup, workload) -> {
            List<String> row = axes(setup, workload);
            for (Figure figure : Figure.values()) {
                Spread spread = at(setup, workload).of(figure);
                row.add(figure.text(spread.median()));
                if (WITH_SPREAD.contains(figure)) {
                    row.add(percent(spread.percent()));
                }
            }
            row.add(timesThroughput(ConcurrencyModel.REACTOR, setup, workload, UNDECIDED));
            row.add(timesThroughput(ConcurrencyModel.HALF_SYNC_HALF_ASYNC, setup, workload, UNDECIDED));
            table.add(row.toArray(String[]::new));
        });
        return table;
    }

    /** {@return the same for programs: each figure with the least and the most that it was} */
    TextTable fullTable() {
        List<String> header = new ArrayList<>(List.of(AXES));
        for (Figure figure : Figure.values()) {
            header.addAll(List.of(figure.column(), figure.column() + " LEAST", figure.column() + " MOST"));
        }
        header.addAll(List.of("X REACTOR", "X HALF-SYNC"));
        TextTable table = new TextTable(header.toArray(String[]::new));
        forEachRow((setup, workload) -> {
            List<String> row = axes(setup, workload);
            for (Figure figure : Figure.values()) {
                Spread spread = at(setup, workload).of(figure);
                Stream.of(spread.median(), spread.least(), spread.most()).map(figure::text).forEach(row::add);
            }
            row.add(timesThroughput(ConcurrencyModel.REACTOR, setup, workload, ""));
            row.add(timesThroughput(ConcurrencyModel.HALF_SYNC_HALF_ASYNC, setup, workload, ""));
            table.add(row.toArray(String[]::new));
        });
        return table;
    }

    private void forEachRow(BiConsumer<Setup, Workload> row) {
        workloads.forEach(workload -> measured(workload).forEach(setup -> row.accept(setup, workload)));
    }

    private static List<String> axes(Setup setup, Workload workload) {
        List<String> row = new ArrayList<>(List.of(
                Integer.toString(workload.connections()), Integer.toString(workload.cpuMicros())));
        row.addAll(setup.words());
        return row;
    }

    private static String percent(double spread) {
        return Double.isNaN(spread) ? Setup.NONE : String.format(Locale.ROOT, "%.0f", spread);
    }

    /** {@return how many times the model's throughput it is, marked if it cannot be told which is the larger one} */
    private String timesThroughput(ConcurrencyModel model, Setup setup, Workload workload, String undecided) {
        Spread own = at(setup, workload).of(Figure.REQUESTS_PER_SECOND);
        return rival(model, setup, workload).map(rival -> (own.isLike(rival) ? undecided : "")
                + String.format(Locale.ROOT, "%.2f", own.median() / rival.median())).orElse(Setup.NONE);
    }

    // On the same mechanism or else on the best one that it has been measured on.
    private Optional<Spread> rival(ConcurrencyModel model, Setup setup, Workload workload) {
        List<Setup> rivals = measured(workload).filter(rival -> rival.model() == model).toList();
        return rivals.stream().filter(rival -> rival.demultiplexer().equals(setup.demultiplexer())).findFirst()
                .or(() -> rivals.stream().findFirst())
                .map(rival -> at(rival, workload).of(Figure.REQUESTS_PER_SECOND));
    }
}
