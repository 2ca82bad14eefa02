package dev.sluice.benchmarks.report;

import dev.sluice.benchmarks.run.Section;
import dev.sluice.benchmarks.run.Suite;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The charts of a report, one for each question: two files each, of which a page shows the one that suits it. */
public final class Charts {

    /** The name of the theme for a page with a light background, which is also that of a single file. */
    static final String LIGHT = "light";

    private static final String DARK = "dark";
    private static final String DIRECTORY = "charts";
    private static final String FORMER = "*-{light,dark}.svg";

    private final Map<String, String> files = new TreeMap<>();

    /** Creates an empty set of charts. */
    Charts() {
        prepare();
    }

    /** Must be called before anything is drawn. */
    static void prepare() {
        // There is no window, even where there is a screen.
        System.setProperty("java.awt.headless", "true");
    }

    /**
     * Draws the charts again that were drawn of the medians in a directory.
     *
     * @param directory of a report
     * @param suites    whose charts to draw; those of which there are no medians are left out
     * @return the names of the charts, which begin with those of their suites
     * @throws IOException if nothing is there, something cannot be read or written, or this Java cannot draw
     */
    public static List<String> redraw(Path directory, List<Suite> suites) throws IOException {
        Charts charts = new Charts();
        for (Suite suite : suites) {
            Path medians = Medians.file(directory, suite.name());
            if (Files.exists(medians)) {
                List<Table> tables = Table.of(suite, Medians.read(medians, suite.name()));
                for (Table drawn : allDrawn(tables)) {
                    charts.add(name(suite, drawn), drawn);
                }
            }
        }
        if (charts.files.isEmpty()) {
            throw new IOException("there are no medians to draw in " + directory);
        }
        charts.write(directory, false);
        return charts.files.keySet().stream().map(file -> file.replaceAll("-(light|dark)\\.svg$", "")).distinct()
                .toList();
    }

    /** {@return the table that is drawn for the question of the suite, if there is one} */
    static Optional<Table> drawn(List<Table> tables) {
        return tables.stream().filter(table -> table.section().question() == null && isDrawn(table)).findFirst();
    }

    /** {@return the tables that are drawn for further questions of the suite} */
    static List<Table> furtherDrawn(List<Table> tables) {
        return tables.stream().filter(table -> table.section().question() != null && isDrawn(table)).toList();
    }

    /** {@return all tables that are drawn} */
    static List<Table> allDrawn(List<Table> tables) {
        return Stream.concat(drawn(tables).stream(), furtherDrawn(tables).stream()).toList();
    }

    private static boolean isDrawn(Table table) {
        return table.section().chart() != Section.Chart.NONE && !table.isEmpty();
    }

    /** {@return the name of a table's chart: that of the suite, followed by that of the question if it is another} */
    static String name(Suite suite, Table table) {
        Section.Question question = table.section().question();
        return suite.name() + (question == null ? "" : "-" + question.name());
    }

    /**
     * Draws a table.
     *
     * @param suite the suite
     * @param table the table, whose section has a chart
     * @return what shows it on a page in Markdown, in a directory beside that of the charts
     */
    Optional<String> draw(Suite suite, Table table) {
        String name = name(suite, table);
        try {
            if (!add(name, table)) {
                return Optional.empty();
            }
        } catch (IOException e) {
            // The report of hours of measurement does not fail because of a chart.
            return Optional.of("No chart: " + Markdown.text(e.getMessage()));
        }
        return Optional.of("""
                <picture>
                  <source media="(prefers-color-scheme: dark)" srcset="../%s/%s">
                  <img alt="chart: %s" src="../%s/%s">
                </picture>""".formatted(DIRECTORY, file(name, DARK), attribute(table.section().figure()),
                DIRECTORY, file(name, LIGHT)));
    }

    /** {@return whether there is something to show} */
    private boolean add(String name, Table table) throws IOException {
        Map<String, String> themes = draw(table);
        themes.forEach((theme, svg) -> files.put(file(name, theme), svg));
        return !themes.isEmpty();
    }

    /**
     * Draws a table in each theme.
     *
     * @param table the table, whose section has a chart
     * @return the chart as SVG, by {@link #LIGHT} and {@link #DARK}; empty if there is nothing to show
     * @throws IOException if the table cannot be drawn, perhaps because this Java lacks what knows fonts
     */
    static Map<String, String> draw(Table table) throws IOException {
        Map<String, String> themes = new TreeMap<>();
        try {
            for (Theme theme : Theme.values()) {
                ChartDrawing.svg(table, theme).ifPresent(
                        svg -> themes.put(theme.name().toLowerCase(Locale.ROOT), svg));
            }
        } catch (LinkageError | InternalError e) {
            throw new IOException("this Java cannot draw: " + e, e);
        } catch (RuntimeException e) {
            throw new IOException(e.toString(), e);
        }
        return themes;
    }

    private static String file(String name, String theme) {
        return name + "-" + theme + ".svg";
    }

    private static String attribute(String text) {
        return text.replace("&", "&amp;").replace("\"", "&quot;").replace("<", "&lt;");
    }

    /**
     * Writes the charts into the directory of a report, in place of what an earlier report left there.
     *
     * @param report its directory
     * @throws IOException if something cannot be written
     */
    void write(Path report) throws IOException {
        write(report, true);
    }

    private void write(Path report, boolean replaceAll) throws IOException {
        Path directory = report.resolve(DIRECTORY);
        if (replaceAll && Files.isDirectory(directory)) {
            try (DirectoryStream<Path> former = Files.newDirectoryStream(directory, FORMER)) {
                for (Path file : former) {
                    Files.delete(file);
                }
            }
        }
        if (!files.isEmpty()) {
            Files.createDirectories(directory);
            for (Map.Entry<String, String> file : files.entrySet()) {
                Files.writeString(directory.resolve(file.getKey()), file.getValue());
            }
        }
    }
}
