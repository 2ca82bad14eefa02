package dev.sluice.benchmarks.report;

import dev.sluice.benchmarks.run.Results;
import dev.sluice.benchmarks.run.RunDescription;
import dev.sluice.benchmarks.run.Sample;
import dev.sluice.benchmarks.run.Suite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The report of the results. */
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

            The suites `servers`, `churn`, `jaws`, `web`, `seda-web`, `seda-classes` and `seda-shedding` are closed
            loops: a client asks again when it has its answer. So a pause of the server touches only what is under way,
            and what would have come meanwhile is in no percentile (coordinated omission): compare percentiles with
            each other, and do not take them for what users would meet. `seda-router`, `seda-little` and `seda-today`
            take the time from when a packet, an event or a visitor was due.

            Where a table has a baseline, a cell tells in parentheses how many times as good it is: its median beside
            the baseline's median, and, after several rounds, its best beside the baseline's best. More than 1 is better
            than the baseline, whether more or less of the figure is good.

            Where a table has targets, they stand below its contestants. Before the colon is what is compared: the
            median divided by what the target names, the distance between both if the target is to be near, or the
            median itself if the target is a value. Behind it stands whether that is reached, or by how much it is
            missed. The column is empty where a target does not apply.

            A chart shows the medians of up to six contestants; the table below it has them all. In a chart of bars the
            longest bar of a column fills it, so that bars are compared within a column, too, and an empty place was not
            measured. A chart of lines has logarithmic scales. A line over time is drawn with as many points as the
            width can show.
            """;

    private final List<Measured> all;

    /** A suite, and what there is of it. */
    private record Measured(Suite suite, RunDescription run, List<Sample> samples) {

        /** {@return the command, machine, Java and peers of the measurement, as a table} */
        String circumstances() {
            return Markdown.row(List.of("made by", Markdown.code(run.command()))) + Markdown.row(List.of("---", "---"))
                    + Markdown.row(List.of("on", Markdown.text(run.date())))
                    + Markdown.row(List.of("machine", Markdown.text(run.machine())))
                    + Markdown.row(List.of("Java", Markdown.text(run.java())))
                    + (run.peers().isEmpty() ? ""
                            : Markdown.row(List.of("peers", Markdown.text(String.join(", ", run.peers())))));
        }

        String warning() {
            String warning = run.complete() ? ""
                    : "**The run was interrupted**: it contains what had been measured until then.\n\n";
            return warning + switch (run.scale()) {
                case SMALLEST -> "**Everything was run for as short a time as possible**: a check that it works, not "
                        + "a measurement.\n\n";
                case QUICK -> "A quick run, of few points and rounds: small differences mean nothing.\n\n";
                case FULL -> "";
            };
        }
    }

    private Report(List<Measured> all) {
        this.all = all;
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
        Report report = new Report(all);
        report.writePages(directory);
        return Files.writeString(directory.resolve(FILE), report.index());
    }

    private void writePages(Path directory) throws IOException {
        Charts charts = new Charts();
        for (Measured each : shown()) {
            Page page = new Page(each.suite(), each.warning(), each.circumstances(), each.samples(), charts);
            Files.createDirectories(directory.resolve(Page.DIRECTORY));
            Files.writeString(directory.resolve(Page.file(each.suite())), page.text());
            Medians.write(Medians.file(directory, each.suite().name()), page.tables());
        }
        charts.write(directory);
    }

    private List<Measured> shown() {
        return all.stream().filter(each -> !each.samples().isEmpty()).toList();
    }

    private String index() {
        return "# Results of the benchmarks\n\n" + contents() + missing() + READING.stripTrailing() + "\n";
    }

    private String contents() {
        if (shown().isEmpty()) {
            return "Nothing was measured.\n\n";
        }
        StringBuilder contents = new StringBuilder("A page for each suite has a chart, its table and the finding.\n\n");
        contents.append(Markdown.row(List.of("suite", "what it measures", "on")))
                .append(Markdown.row(List.of("---", "---", "---")));
        for (Measured each : shown()) {
            contents.append(Markdown.row(List.of("[" + each.suite().name() + "](" + Page.file(each.suite()) + ")",
                    Markdown.text(each.suite().summary()), Markdown.text(each.run().date()))));
        }
        return contents.append('\n').toString();
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
