package dev.sluice.samples.compare;

import dev.sluice.samples.console.Progress;
import dev.sluice.samples.server.Surroundings;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code sluice compare}. */
@Command(name = "compare", mixinStandardHelpOptions = true,
        description = "Compares concurrency strategies under one closed-loop load, on the same mechanisms: throughput, "
                + "latency, context switches, allocation, CPU time. The table is followed by an explanation of its "
                + "columns, and by a check of the claims of the Leader/Followers paper.")
public final class CompareCommand implements Callable<Integer> {

    private static final int MAX_CONNECTIONS = 10_000;
    private static final int MAX_CPU_MICROS = 1_000_000;
    private static final int MAX_SECONDS = 3600;
    private static final int MAX_REPETITIONS = 1000;

    @Spec
    private CommandSpec spec;

    @Mixin
    private SetupOptions setups;

    @Option(names = "--connections", paramLabel = "N", split = ",", defaultValue = "1,16,256",
            description = "Numbers of busy connections, separated by commas (default: ${DEFAULT-VALUE}).")
    private List<Integer> connections;

    @Option(names = "--cpu", paramLabel = "MICROS", split = ",", defaultValue = "0,20,200",
            description = "CPU times that a request takes, in microseconds, separated by commas (default: "
                    + "${DEFAULT-VALUE}).")
    private List<Integer> cpuMicros;

    @Option(names = "--seconds", paramLabel = "S", defaultValue = "0.5",
            description = "Time to measure each row in each repetition (default: ${DEFAULT-VALUE}).")
    private double seconds;

    @Option(names = "--warm-up", paramLabel = "S", defaultValue = "2",
            description = "Warm-up of each server, in seconds, before its rows are measured (default: "
                    + "${DEFAULT-VALUE}).")
    private double warmUp;

    @Option(names = "--repetitions", paramLabel = "N", defaultValue = "5",
            description = "How often everything is measured, with new servers, every other time in reverse order, so "
                    + "that changes on the machine affect all strategies. A figure is the median; with fewer than "
                    + Spread.MIN_REPETITIONS + " repetitions no claim is decided (default: ${DEFAULT-VALUE}).")
    private int repetitions;

    @Option(names = "--csv", paramLabel = "FILE",
            description = "File for the table, with the minimum and the maximum of each figure.")
    private Path csv;

    private final Surroundings surroundings;

    /**
     * For picocli.
     *
     * @param surroundings where the command runs
     */
    public CompareCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws IOException {
        check();
        List<Workload> workloads = workloads();
        Comparison comparison = new Comparison(setups.chosen(workloads), workloads);
        // Opened first, so that a failure is reported at the beginning.
        try (CsvFile file = csv == null ? null : CsvFile.open(csv);
                Interruption interruption = Interruption.listen(surroundings.signals())) {
            return compare(comparison, file, interruption);
        }
    }

    private int compare(Comparison comparison, CsvFile file, Interruption interruption) throws IOException {
        Trial trial = new Trial(comparison, duration(warmUp), duration(seconds));
        Duration planned = comparison.setups().stream().map(trial::estimate).reduce(Duration.ZERO, Duration::plus)
                .multipliedBy(repetitions);
        PrintWriter out = spec.commandLine().getOut();
        out.printf(Locale.ROOT, "%d setups x %d workloads x %d repetitions: about %d s, with %d CPUs and Java %s%n",
                comparison.setups().size(), comparison.workloads().size(), repetitions, planned.toSeconds(),
                Runtime.getRuntime().availableProcessors(), Runtime.version());
        out.flush();
        int total = comparison.rows() * repetitions;
        PrintWriter err = spec.commandLine().getErr();
        String name = spec.qualifiedName() + ": ";
        Progress progress = new Progress(err, name, Progress.isOnTerminal(), total, planned, System::nanoTime);
        try {
            measure(comparison, trial, progress, interruption);
        } finally {
            progress.close();
            // The earlier results may have taken long, and are kept.
            print(comparison, out);
            new Cautions(comparison).lines().forEach(line -> err.println(name + "warning: " + line));
            err.flush();
            if (file != null) {
                file.write(comparison.fullTable());
            }
        }
        if (!interruption.hasCome()) {
            return 0;
        }
        err.printf(Locale.ROOT, "%sinterrupted: %d of %d measurements and %d of %d rows are missing%n", name,
                progress.missing(), total, comparison.missingRows(), comparison.rows());
        err.flush();
        return interruption.exitCode();
    }

    private void measure(Comparison comparison, Trial trial, Progress progress, Interruption interruption)
            throws IOException {
        List<Setup> order = new ArrayList<>(comparison.setups());
        try {
            for (int i = 0; i < repetitions; i++) {
                for (Setup setup : order) {
                    if (interruption.hasCome()) {
                        return;
                    }
                    trial.run(setup, progress, interruption);
                }
                Collections.reverse(order);
            }
        } catch (IOException e) {
            // Its server has been ended by the interruption, which caused the failure.
            if (!interruption.hasCome()) {
                throw e;
            }
        }
    }

    private void check() {
        if (csv != null && csv.toString().isBlank()) {
            throw bad("--csv is given without a value");
        }
        connections.forEach(count -> requireRange("--connections", count, 1, MAX_CONNECTIONS));
        cpuMicros.forEach(micros -> requireRange("--cpu", micros, 0, MAX_CPU_MICROS));
        requireRange("--repetitions", repetitions, 1, MAX_REPETITIONS);
        requireRange("--seconds", seconds, 0, MAX_SECONDS);
        requireRange("--warm-up", warmUp, 0, MAX_SECONDS);
    }

    // Written so that "not a number" is refused.
    private void requireRange(String option, Number value, int minimum, int maximum) {
        if (!(value.doubleValue() >= minimum && value.doubleValue() <= maximum)) {
            throw bad(option + " must be " + minimum + " to " + maximum + ", not " + value);
        }
    }

    private List<Workload> workloads() {
        List<Workload> workloads = new ArrayList<>();
        for (int count : connections) {
            for (int micros : cpuMicros) {
                workloads.add(new Workload(count, micros));
            }
        }
        return workloads;
    }

    private ParameterException bad(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    private static Duration duration(double seconds) {
        return Duration.ofNanos(Math.round(seconds * TimeUnit.SECONDS.toNanos(1)));
    }

    private void print(Comparison comparison, PrintWriter out) {
        out.println();
        comparison.table().print(out);
        out.println();
        comparison.legend().forEach(out::println);
        out.println();
        new ClosingNote(comparison).lines().forEach(out::println);
        out.flush();
    }
}
