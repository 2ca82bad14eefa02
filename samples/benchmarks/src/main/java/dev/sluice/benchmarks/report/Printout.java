package dev.sluice.benchmarks.report;

import dev.sluice.benchmarks.run.Results;
import dev.sluice.benchmarks.run.Sample;
import dev.sluice.benchmarks.run.Section;
import dev.sluice.benchmarks.run.Section.Better;
import dev.sluice.benchmarks.run.Suite;
import dev.sluice.samples.console.TextTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** The results of one suite, for a terminal and for files. */
public final class Printout {

    private static final String MISSING = "-";
    private static final String CSV_HEADER = "scenario,contestant,figure,round,value";

    private final List<Sample> samples;
    private final List<Table> tables;

    private Printout(List<Sample> samples, List<Table> tables) {
        this.samples = samples;
        this.tables = tables;
        Charts.prepare();
    }

    /**
     * Reads what there is of a suite.
     *
     * @param directory of the report
     * @param suite     that was measured
     * @return without tables of what was not measured
     * @throws IOException if it cannot be read
     */
    public static Printout read(Path directory, Suite suite) throws IOException {
        List<Sample> samples = Results.read(directory.resolve(suite.name()));
        List<Table> tables = Table.of(suite, samples).stream().filter(table -> !table.isEmpty()).toList();
        return new Printout(samples, tables);
    }

    /**
     * Prints its tables.
     *
     * @param out the destination
     */
    public void print(PrintWriter out) {
        for (Table table : tables) {
            if (table.section().chart() != Section.Chart.COURSE) {
                out.println(title(table.section()));
                rows(table).print(out);
                out.println();
            }
        }
        out.flush();
    }

    private static String title(Section section) {
        String title = section.figure() + ", " + section.unit() + ", "
                + (section.better() == Better.HIGHER ? "more" : "less") + " is better";
        return section.baseline() == null ? title : title + " (times as good as " + section.baseline() + ")";
    }

    private static TextTable rows(Table table) {
        List<String> header = new ArrayList<>(List.of(""));
        header.addAll(table.scenarios());
        TextTable rows = new TextTable(header.toArray(String[]::new));
        for (String contestant : table.contestants()) {
            List<String> row = new ArrayList<>(List.of(contestant));
            table.scenarios().forEach(scenario -> row.add(cell(table, contestant, scenario)));
            rows.add(row.toArray(String[]::new));
        }
        Aim.of(table).forEach(aim -> rows.addRemark(aim.row().toArray(String[]::new)));
        return rows;
    }

    private static String cell(Table table, String contestant, String scenario) {
        Optional<Cell> cell = table.cell(contestant, scenario);
        if (cell.isEmpty()) {
            return MISSING;
        }
        OptionalDouble ratio = table.medianRatio(contestant, scenario);
        return Numbers.shown(cell.get().median())
                + (ratio.isPresent() ? " (" + Numbers.ratio(ratio.getAsDouble()) + ")" : "");
    }

    /**
     * Writes every value as comma-separated values, after a line with the names of the columns.
     *
     * @param file is overwritten
     * @throws IOException if it cannot be written
     */
    public void writeCsv(Path file) throws IOException {
        List<String> lines = new ArrayList<>(List.of(CSV_HEADER));
        samples.forEach(sample -> lines.add(Csv.quoted(sample.scenario()) + "," + Csv.quoted(sample.contestant()) + ","
                + Csv.quoted(sample.figure()) + "," + sample.round() + "," + sample.value()));
        Files.write(file, lines);
    }

    /**
     * Draws the chart.
     *
     * @param file the file, which is overwritten
     * @throws IOException if it cannot be written, there is nothing to draw, or this Java cannot draw
     */
    public void writeChart(Path file) throws IOException {
        Optional<Table> drawn = Charts.drawn(tables);
        String svg = drawn.isPresent() ? Charts.draw(drawn.get()).get(Charts.LIGHT) : null;
        if (svg == null) {
            throw new IOException("there is nothing to draw in " + file);
        }
        Files.writeString(file, svg);
    }
}
