package dev.sluice.benchmarks.report;

import dev.sluice.benchmarks.run.Results;
import dev.sluice.benchmarks.run.RunDescription;
import dev.sluice.benchmarks.run.Sample;
import dev.sluice.benchmarks.run.Suite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** The report of a run. */
public final class Report {

    /** The name of the file. */
    public static final String FILE = "RESULTS.md";

    private static final String READING = """
            ## How to read it

            A row is a contestant, a column a scenario, in the order in which they were measured. A cell shows the
            median of all rounds; the best median of a column is bold, and - is what was not measured. In each round all
            contestants of a scenario are measured one after the other, so that whatever else the machine does meets all
            of them: compare within a column. Between two runs, and more so between two machines, only the ratios can be
            compared.

            Where a table has a baseline, a cell tells in parentheses how many times as good it is: its median beside
            the baseline's median, and, after several rounds, its best beside the baseline's best. More than 1 is better
            than the baseline, whether more or less of the figure is good.

            """;

    private final RunDescription run;
    private final List<Suite> suites;
    private final List<Sample> samples;
    private final Charts charts;

    private Report(RunDescription run, List<Suite> suites, List<Sample> samples, Charts charts) {
        this.run = run;
        this.suites = suites;
        this.samples = samples;
        this.charts = charts;
    }

    /**
     * Writes the report of what a run has left in a directory, into it. The same samples give the same report.
     *
     * @param directory of the run
     * @param suites    to report; those without samples are left out
     * @return the report's file
     * @throws IOException if something cannot be read or written
     */
    public static Path write(Path directory, List<Suite> suites) throws IOException {
        RunDescription run = RunDescription.read(directory);
        List<Sample> samples = Results.read(directory);
        Charts charts = new Charts(samples);
        String text = new Report(run, suites, samples, charts).text();
        charts.write(directory);
        return Files.writeString(directory.resolve(FILE), text);
    }

    private String text() {
        List<Suite> measured = suites.stream().filter(suite -> !samplesOf(suite).isEmpty()).toList();
        StringBuilder chapters = new StringBuilder();
        measured.forEach(suite -> chapters.append(new Chapter(suite, samplesOf(suite), charts).text()));
        return "# Results of the benchmarks\n\n" + about() + contents(measured) + missing() + READING
                + chapters.toString().stripTrailing() + "\n";
    }

    private List<Sample> samplesOf(Suite suite) {
        return samples.stream().filter(sample -> sample.suite().equals(suite.name())).toList();
    }

    private String about() {
        return Markdown.row(List.of("made by", Markdown.code(run.command()))) + Markdown.row(List.of("---", "---"))
                + Markdown.row(List.of("on", Markdown.text(run.date())))
                + Markdown.row(List.of("machine", Markdown.text(run.machine())))
                + Markdown.row(List.of("Java", Markdown.text(run.java())))
                + "\n" + warning();
    }

    private String warning() {
        String warning = run.complete() ? ""
                : "**The run was interrupted**: here is what it had measured until then.\n\n";
        return warning + switch (run.scale()) {
            case SMALLEST -> "**Everything was run as shortly as can be**, which shows that it works, and nothing of "
                    + "how fast anything is.\n\n";
            case QUICK -> "A quick run, of few points and rounds: small differences mean nothing.\n\n";
            case FULL -> "";
        };
    }

    private static String contents(List<Suite> measured) {
        if (measured.isEmpty()) {
            return "Nothing was measured.\n\n";
        }
        return measured.stream()
                .map(suite -> "- [" + suite.name() + "](#" + suite.name() + "): " + suite.summary() + "\n")
                .collect(Collectors.joining()) + "\n";
    }

    private String missing() {
        if (run.absences().isEmpty() && run.failures().isEmpty()) {
            return "";
        }
        return "## What is missing\n\n" + lines("Did not take part:", run.absences())
                + lines("Failed:", run.failures());
    }

    private static String lines(String title, List<String> lines) {
        return lines.isEmpty() ? "" : title + "\n\n"
                + lines.stream().map(line -> "- " + Markdown.text(line) + "\n").collect(Collectors.joining()) + "\n";
    }
}
