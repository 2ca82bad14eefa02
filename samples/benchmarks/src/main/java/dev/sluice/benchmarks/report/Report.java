package dev.sluice.benchmarks.report;

import dev.sluice.benchmarks.run.Results;
import dev.sluice.benchmarks.run.RunDescription;
import dev.sluice.benchmarks.run.Sample;
import dev.sluice.benchmarks.run.Suite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The report of what has been measured. */
public final class Report {

    /** The name of the file. */
    public static final String FILE = "RESULTS.md";

    private static final String READING = """
            ## How to read it

            A row is a contestant, a column a scenario, in the order in which the first round has measured them. A cell
            shows the median of all rounds; the best median of a column is bold, and - is what was not measured. In each
            round all contestants of a scenario are measured one after the other, so that whatever else the machine does
            meets all of them: compare within a column. A round begins with the contestant that was the second in the
            round before, so that none is always the first after a change of scenario. Between two runs, and more so
            between two machines, only the ratios can be compared.

            The suites `servers`, `churn`, `jaws`, `web`, `seda-web` and `seda-shedding` are closed loops: a client asks
            again when it has its answer. So a pause of the server touches only what is under way, and what would have
            come meanwhile is in no percentile (coordinated omission): compare percentiles with each other, and do not
            take them for what users would meet. `seda-router` and `seda-little` take the time from when a packet or an
            event was due.

            Where a table has a baseline, a cell tells in parentheses how many times as good it is: its median beside
            the baseline's median, and, after several rounds, its best beside the baseline's best. More than 1 is better
            than the baseline, whether more or less of the figure is good.

            Where a table has targets, they stand below its contestants. Before the colon is what is compared: the
            median divided by what the target names, the distance between both if the target is to be near, or the
            median itself if the target is a value. Behind it stands whether that is reached, or by how much it is
            missed. The column is empty where a target does not apply.

            """;

    private final List<Measured> all;
    private final Charts charts;

    /** A suite, and what there is of it. */
    private record Measured(Suite suite, RunDescription run, List<Sample> samples) {

        /** {@return what it has in common with the others of its run} */
        List<String> circumstances() {
            return List.of(run.command(), run.date(), run.machine(), run.java());
        }

        String warning() {
            String warning = run.complete() ? ""
                    : "**The run was interrupted**: here is what it had measured until then.\n\n";
            return warning + switch (run.scale()) {
                case SMALLEST -> "**Everything was run as shortly as can be**, which shows that it works, and nothing "
                        + "of how fast anything is.\n\n";
                case QUICK -> "A quick run, of few points and rounds: small differences mean nothing.\n\n";
                case FULL -> "";
            };
        }
    }

    private Report(List<Measured> all, Charts charts) {
        this.all = all;
        this.charts = charts;
    }

    /**
     * Writes the report of what has been measured into a directory, into it. The same samples give the same report.
     *
     * @param directory with one for each suite
     * @param suites    to report; those of which there is nothing are left out
     * @return the report's file
     * @throws IOException if nothing is there, or something cannot be read or written
     */
    public static Path write(Path directory, List<Suite> suites) throws IOException {
        List<Measured> all = new ArrayList<>();
        for (Suite suite : suites) {
            Path ofSuite = directory.resolve(suite.name());
            Optional<RunDescription> run = RunDescription.read(ofSuite);
            if (run.isPresent()) {
                all.add(new Measured(suite, run.get(), Results.read(ofSuite)));
            }
        }
        if (all.isEmpty()) {
            throw new IOException("there is nothing to report in " + directory);
        }
        Charts charts = new Charts(all.stream().flatMap(each -> each.samples().stream()).toList());
        String text = new Report(all, charts).text();
        charts.write(directory);
        return Files.writeString(directory.resolve(FILE), text);
    }

    private String text() {
        List<Measured> shown = all.stream().filter(each -> !each.samples().isEmpty()).toList();
        StringBuilder chapters = new StringBuilder();
        shown.forEach(each -> chapters.append(
                new Chapter(each.suite(), each.warning(), each.samples(), charts).text()));
        return "# Results of the benchmarks\n\n" + about() + contents(shown) + missing() + READING
                + chapters.toString().stripTrailing() + "\n";
    }

    private String about() {
        Map<List<String>, String> runs = all.stream().collect(Collectors.groupingBy(Measured::circumstances,
                LinkedHashMap::new, Collectors.mapping(each -> each.suite().name(), Collectors.joining(", "))));
        StringBuilder about = new StringBuilder();
        runs.forEach((circumstances, suites) -> {
            about.append(Markdown.row(List.of("made by", Markdown.code(circumstances.get(0)))))
                    .append(Markdown.row(List.of("---", "---")));
            if (runs.size() > 1) {
                about.append(Markdown.row(List.of("suites", Markdown.text(suites))));
            }
            about.append(Markdown.row(List.of("on", Markdown.text(circumstances.get(1)))))
                    .append(Markdown.row(List.of("machine", Markdown.text(circumstances.get(2)))))
                    .append(Markdown.row(List.of("Java", Markdown.text(circumstances.get(3))))).append('\n');
        });
        return about.toString();
    }

    private static String contents(List<Measured> shown) {
        if (shown.isEmpty()) {
            return "Nothing was measured.\n\n";
        }
        return shown.stream().map(Measured::suite)
                .map(suite -> "- [" + suite.name() + "](#" + suite.name() + "): " + suite.summary() + "\n")
                .collect(Collectors.joining()) + "\n";
    }

    private String missing() {
        String missing = lines("Did not take part:", RunDescription::absences)
                + lines("Failed:", RunDescription::failures)
                + lines("Interrupted:", run -> run.complete() ? List.of() : List.of("the rest of it is missing"));
        return missing.isEmpty() ? "" : "## What is missing\n\n" + missing;
    }

    private String lines(String title, Function<RunDescription, List<String>> kind) {
        String lines = all.stream().flatMap(each -> kind.apply(each.run()).stream()
                        .map(line -> "- " + each.suite().name() + ": " + Markdown.text(line) + "\n"))
                .collect(Collectors.joining());
        return lines.isEmpty() ? "" : title + "\n\n" + lines + "\n";
    }
}
