package dev.sluice.benchmarks.report;

import dev.sluice.benchmarks.run.Sample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The medians of all tables of a suite, as comma-separated values: what its chart can be drawn of again. */
final class Medians {

    private static final String HEADER = "figure,unit,scenario,contestant,median";
    private static final int FIGURE = 0;
    private static final int SCENARIO = 2;
    private static final int CONTESTANT = 3;
    private static final int MEDIAN = 4;

    private Medians() {
    }

    /** {@return the file in the directory of a report} */
    static Path file(Path report, String suite) {
        return report.resolve(Page.DIRECTORY).resolve(suite + ".csv");
    }

    /** Writes those of some tables. */
    static void write(Path file, List<Table> tables) throws IOException {
        List<String> lines = new ArrayList<>(List.of(HEADER));
        for (Table table : tables) {
            for (String scenario : table.scenarios()) {
                for (String contestant : table.contestants()) {
                    table.cell(contestant, scenario).ifPresent(cell -> lines.add(String.join(",",
                            Csv.quoted(table.section().figure()), Csv.quoted(table.section().unit()),
                            Csv.quoted(scenario), Csv.quoted(contestant), Double.toString(cell.median()))));
                }
            }
        }
        Files.write(file, lines);
    }

    /** {@return the medians as samples, as if there had been one round} */
    static List<Sample> read(Path file, String suite) throws IOException {
        List<Sample> samples = new ArrayList<>();
        List<String> lines = Files.readAllLines(file);
        for (String line : lines.subList(1, lines.size())) {
            List<String> values = Csv.values(line);
            samples.add(new Sample(suite, values.get(SCENARIO), values.get(CONTESTANT), values.get(FIGURE), 1,
                    Double.parseDouble(values.get(MEDIAN))));
        }
        return samples;
    }
}
