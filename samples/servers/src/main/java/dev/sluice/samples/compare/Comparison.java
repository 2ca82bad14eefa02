package dev.sluice.samples.compare;

import dev.sluice.samples.console.TextTable;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All measurements. */
final class Comparison {

    private static final String[] AXES =
            {"CONNECTIONS", "CPU US", "STRATEGY", "HANDLE SET", "THREADS", "LAYOUT", "KIND", "ORDER", "PROMOTION"};
    private static final List<String> MULTIPLES = List.of("X ONE REACTOR", "X HALF-SYNC");
    /** The figures printed with their spread, since conclusions are drawn from them. */
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

    /** {@return those that a setup is measured under} */
    List<Workload> workloads(Setup setup) {
        return workloads.stream().filter(setup::serves).toList();
    }

    /** {@return the one to add to} */
    Measurement at(Setup setup, Workload workload) {
        return measurements.computeIfAbsent(new Cell(setup, workload), cell -> new Measurement());
    }

    /** {@return the setups that have been measured under a workload} */
    Stream<Setup> measured(Workload workload) {
        return setups.stream().filter(setup -> !at(setup, workload).isEmpty());
    }

    /** {@return the number of rows that there will be when everything has been measured} */
    int rows() {
        return setups.stream().mapToInt(setup -> workloads(setup).size()).sum();
    }

    /** {@return the number of rows that are still missing} */
    int missingRows() {
        return rows() - (int) workloads.stream().mapToLong(workload -> measured(workload).count()).sum();
    }

    /** {@return explanations of the columns whose names are not sufficient} */
    List<String> legend() {
        List<String> lines = new ArrayList<>(List.of(
                "CPU US: CPU time of a request in the service alone. THREADS: - if the number depends on the clients.",
                "+-%: half of the difference between the minimum and the maximum of the repetitions, in percent of "
                        + "their median, which precedes it.",
                "P50 to P99.9: latency, from sending a request to the last byte of its response. SWITCHES, BYTES, "
                        + "SERVER CPU: context switches, heap allocated and CPU time of the server, per request; - "
                        + "where threads end, since their counts are lost, and where the system does not count "
                        + "switches.",
                "GENERATOR CPU, OTHERS CPU: in percent of one CPU, the time used by the load generator's thread, and "
                        + "by everything else on this machine.",
                "X ONE REACTOR, X HALF-SYNC: throughput as a multiple of that of reactor-per-thread with one thread, "
                        + "and of half-sync-half-async, on the same handle set if it was measured there; ~ if the "
                        + "repetitions do not show which is larger."));
        List<Workload> withoutThreadPool = workloads.stream().filter(workload ->
                setups.stream().anyMatch(setup -> !setup.serves(workload))).toList();
        if (!withoutThreadPool.isEmpty()) {
            lines.add("thread-pool is left out with " + withoutThreadPool.stream().map(Workload::connections).distinct()
                    .map(String::valueOf).collect(Collectors.joining(", ")) + " connections: each of its threads "
                            + "serves one connection to its end, and the others would wait.");
        }
        return lines;
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
        header.addAll(MULTIPLES);
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
            row.add(timesThroughput(Setup::isSingleReactor, setup, workload, UNDECIDED));
            row.add(timesThroughput(Comparison::isHalfSync, setup, workload, UNDECIDED));
            table.add(row.toArray(String[]::new));
        });
        return table;
    }

    /** {@return the same for programs: each figure with the least and the most that it was} */
    TextTable fullTable() {
        List<String> header = new ArrayList<>(List.of(AXES));
        for (Figure figure : Figure.values()) {
            header.addAll(List.of(figure.column(), figure.column() + " MIN", figure.column() + " MAX"));
        }
        header.addAll(MULTIPLES);
        TextTable table = new TextTable(header.toArray(String[]::new));
        forEachRow((setup, workload) -> {
            List<String> row = axes(setup, workload);
            for (Figure figure : Figure.values()) {
                Spread spread = at(setup, workload).of(figure);
                Stream.of(spread.median(), spread.minimum(), spread.maximum()).map(figure::text).forEach(row::add);
            }
            row.add(timesThroughput(Setup::isSingleReactor, setup, workload, ""));
            row.add(timesThroughput(Comparison::isHalfSync, setup, workload, ""));
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
        row.addAll(setup.axes());
        return row;
    }

    private static String percent(double spread) {
        return Double.isNaN(spread) ? Setup.NONE : String.format(Locale.ROOT, "%.0f", spread);
    }

    private static boolean isHalfSync(Setup setup) {
        return setup.strategy() == ConcurrencyStrategy.HALF_SYNC_HALF_ASYNC;
    }

    /** {@return the throughput as a multiple of the rival's, marked if the difference is within the spread} */
    private String timesThroughput(Predicate<Setup> isRival, Setup setup, Workload workload, String undecided) {
        Spread own = at(setup, workload).of(Figure.REQUESTS_PER_SECOND);
        return rival(isRival, setup, workload).map(rival -> (own.isLike(rival) ? undecided : "")
                + String.format(Locale.ROOT, "%.2f", own.median() / rival.median())).orElse(Setup.NONE);
    }

    // On the same mechanism or else on the best one that it has been measured on.
    private Optional<Spread> rival(Predicate<Setup> isRival, Setup setup, Workload workload) {
        List<Setup> rivals = measured(workload).filter(isRival).toList();
        return rivals.stream().filter(rival -> rival.demultiplexer().equals(setup.demultiplexer())).findFirst()
                .or(() -> rivals.stream().findFirst())
                .map(rival -> at(rival, workload).of(Figure.REQUESTS_PER_SECOND));
    }
}
