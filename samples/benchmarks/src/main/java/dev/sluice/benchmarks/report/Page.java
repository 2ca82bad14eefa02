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

/**
 * The page of a suite: question, finding, chart and its table, the same of each further question, the other tables, and
 * how it was measured.
 */
final class Page {

    /** Where the pages are, in the directory of a report. */
    static final String DIRECTORY = "results";

    private static final String MISSING = "-";

    private final Suite suite;
    private final String warning;
    private final String run;
    private final List<Table> tables;
    private final Charts charts;

    /**
     * Creates a page.
     *
     * @param suite   that was measured
     * @param warning how far it can be trusted: Markdown, empty if nothing is to be said
     * @param run     what it was measured with: Markdown
     * @param samples of it
     * @param charts  draws the chart
     */
    Page(Suite suite, String warning, String run, List<Sample> samples, Charts charts) {
        this.suite = suite;
        this.warning = warning;
        this.run = run;
        this.tables = Table.of(suite, samples);
        this.charts = charts;
    }

    /** {@return the file's path in the directory of a report} */
    static String file(Suite suite) {
        return DIRECTORY + "/" + suite.name() + ".md";
    }

    List<Table> tables() {
        return tables;
    }

    /** {@return it in Markdown} */
    String text() {
        StringBuilder text = new StringBuilder("# " + suite.name() + "\n\n");
        text.append("The question: ").append(suite.summary()).append(".\n\n").append(warning);
        Optional<Table> drawn = Charts.drawn(tables);
        Optional<Table> main = mainTable(drawn);
        main.ifPresent(table -> text.append("## Finding\n\n").append(new Finding(table).text()).append('\n'));
        drawn.flatMap(table -> charts.draw(suite, table))
                .ifPresent(picture -> text.append(picture).append("\n\n"));
        main.ifPresent(table -> text.append(heading(table)).append(content(table)).append('\n'));
        List<Table> further = Charts.furtherDrawn(tables);
        further.forEach(table -> text.append(chapter(table)));
        List<Table> others = tables.stream().filter(table -> main.isEmpty() || table != main.get())
                .filter(table -> !further.contains(table))
                .filter(table -> table.section().chart() != Section.Chart.COURSE).toList();
        if (!others.isEmpty()) {
            text.append("## The other figures\n\n");
            others.forEach(table -> text.append("<details>\n<summary>")
                    .append(Markdown.text(table.section().figure())).append("</summary>\n\n").append(content(table))
                    .append("\n</details>\n\n"));
        }
        text.append("[All medians](").append(suite.name()).append(".csv), [how to read the tables](../")
                .append(Report.FILE).append("#how-to-read-it).\n\n");
        return text.append("## How it is measured\n\n").append(suite.method().strip()).append("\n\n").append(run)
                .toString();
    }

    private static String heading(Table table) {
        return "## " + Markdown.text(table.section().figure()) + "\n\n";
    }

    /** {@return a further question: what is found, the chart and its table} */
    private String chapter(Table table) {
        return heading(table) + "The question: " + Markdown.text(table.section().question().text()) + ".\n\n"
                + new Finding(table).text() + "\n"
                + charts.draw(suite, table).map(picture -> picture + "\n\n").orElse("") + content(table) + "\n";
    }

    /** The table of the chart; there is none of a line over time, and the first one stands for it. */
    private Optional<Table> mainTable(Optional<Table> drawn) {
        return drawn.filter(table -> table.section().chart() != Section.Chart.COURSE)
                .or(() -> tables.stream().filter(table -> !table.isEmpty() && table.section().question() == null
                        && table.section().chart() != Section.Chart.COURSE).findFirst());
    }

    private static String content(Table table) {
        if (table.isEmpty()) {
            return "Nothing of it was measured.\n";
        }
        return introduction(table.section()) + "\n\n" + rows(table) + '\n' + scatter(table);
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
        int minimum = table.cells().stream().mapToInt(Cell::rounds).min().orElseThrow();
        int maximum = table.cells().stream().mapToInt(Cell::rounds).max().orElseThrow();
        String rounds = (minimum == maximum ? "" : minimum + " to ") + maximum + (maximum == 1 ? " round" : " rounds");
        double[] spreads = table.spreads();
        if (spreads.length == 0) {
            return rounds + ".\n";
        }
        return rounds + "; from the lowest to the highest value of a cell it is "
                + Numbers.percentage(spreads[(spreads.length - 1) / 2]) + " of its median in half of the cells, and "
                + Numbers.percentage(spreads[spreads.length - 1]) + " at most.\n";
    }
}
