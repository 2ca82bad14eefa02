package dev.sluice.benchmarks.report;

import dev.sluice.benchmarks.run.Sample;
import dev.sluice.benchmarks.run.Section;
import dev.sluice.benchmarks.run.Section.Better;
import dev.sluice.benchmarks.run.Suite;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/** What the report says of a suite. */
final class Chapter {

    private static final String MISSING = "-";

    private final Suite suite;
    private final String warning;
    private final List<Table> tables;
    private final Charts charts;

    /**
     * Makes one.
     *
     * @param suite   that was measured
     * @param warning how far it can be trusted: Markdown, empty if nothing is to be said
     * @param samples of it
     * @param charts  draws its tables
     */
    Chapter(Suite suite, String warning, List<Sample> samples, Charts charts) {
        this.suite = suite;
        this.warning = warning;
        this.tables = suite.sections().stream().map(section -> new Table(section, samples)).toList();
        this.charts = charts;
    }

    /** {@return it in Markdown} */
    String text() {
        StringBuilder text = new StringBuilder("## " + suite.name() + "\n\n");
        text.append("What is measured: ").append(suite.summary()).append(".\n\n");
        text.append(warning).append(suite.method().strip()).append("\n\n");
        tables.forEach(table -> text.append(section(table)).append('\n'));
        return text.toString();
    }

    private String section(Table table) {
        StringBuilder text = new StringBuilder("### " + Markdown.text(table.section().figure()) + "\n\n");
        if (table.isEmpty()) {
            return text.append("Nothing of it was measured.\n").toString();
        }
        text.append(introduction(table.section())).append("\n\n");
        if (table.section().chart() != Section.Chart.COURSE) {
            text.append(rows(table)).append('\n');
        }
        text.append(scatter(table));
        charts.draw(suite.name(), table).ifPresent(picture -> text.append('\n').append(picture).append('\n'));
        return text.toString();
    }

    private static String introduction(Section section) {
        String unit = "In " + Markdown.text(section.unit()) + "; "
                + (section.better() == Better.HIGHER ? "more" : "less") + " is better.";
        return section.baseline() == null ? unit
                : unit + " In parentheses: how many times as good as *" + Markdown.text(section.baseline()) + "*.";
    }

    private static String rows(Table table) {
        List<String> header = new ArrayList<>(List.of(Markdown.text(table.section().unit())));
        table.scenarios().forEach(scenario -> header.add(Markdown.text(scenario)));
        List<String> alignment = new ArrayList<>(Collections.nCopies(header.size(), "---:"));
        alignment.set(0, ":---");
        StringBuilder rows = new StringBuilder(Markdown.row(header) + Markdown.row(alignment));
        for (String contestant : table.contestants()) {
            List<String> row = new ArrayList<>(List.of(Markdown.text(contestant)));
            for (String scenario : table.scenarios()) {
                row.add(cell(table, contestant, scenario));
            }
            rows.append(Markdown.row(row));
        }
        Aim.of(table).forEach(aim -> rows.append(Markdown.row(aim.row().stream().map(Markdown::text).toList())));
        return rows.toString();
    }

    private static String cell(Table table, String contestant, String scenario) {
        Optional<Cell> cell = table.cell(contestant, scenario);
        if (cell.isEmpty()) {
            return MISSING;
        }
        String median = Numbers.shown(cell.get().median());
        Set<String> winners = table.winners(scenario);
        return (winners.contains(contestant) ? "**" + median + "**" : median)
                + (contestant.equals(table.section().baseline()) ? "" : ratios(table, contestant, scenario));
    }

    private static String ratios(Table table, String contestant, String scenario) {
        OptionalDouble median = table.medianRatio(contestant, scenario);
        OptionalDouble best = table.bestRatio(contestant, scenario);
        if (median.isEmpty() || best.isEmpty()) {
            return "";
        }
        return " (" + Numbers.ratio(median.getAsDouble())
                + (isSingle(table) ? "" : ", " + Numbers.ratio(best.getAsDouble())) + ")";
    }

    private static boolean isSingle(Table table) {
        return table.cells().stream().allMatch(cell -> cell.values().size() == 1);
    }

    private static String scatter(Table table) {
        int fewest = table.cells().stream().mapToInt(Cell::rounds).min().orElseThrow();
        int most = table.cells().stream().mapToInt(Cell::rounds).max().orElseThrow();
        String rounds = (fewest == most ? "" : fewest + " to ") + most + (most == 1 ? " round" : " rounds");
        double[] spreads = table.cells().stream().map(Cell::spread).filter(OptionalDouble::isPresent)
                .mapToDouble(OptionalDouble::getAsDouble).sorted().toArray();
        if (spreads.length == 0) {
            return rounds + ".\n";
        }
        return rounds + "; from the lowest to the highest value of a cell it is "
                + Numbers.percentage(spreads[(spreads.length - 1) / 2]) + " of its median in half of the cells, and "
                + Numbers.percentage(spreads[spreads.length - 1]) + " at most.\n";
    }
}
