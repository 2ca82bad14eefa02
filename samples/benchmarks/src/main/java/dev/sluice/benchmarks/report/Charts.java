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

/** The charts of a report, one for each suite: two files each, of which a page shows the one that suits it. */
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
     * @return the suites that have been drawn
     * @throws IOException if nothing is there, something cannot be read or written, or this Java cannot draw
     */
    public static List<String> redraw(Path directory, List<Suite> suites) throws IOException {
        Charts charts = new Charts();
        for (Suite suite : suites) {
            Path medians = Medians.file(directory, suite.name());
            if (Files.exists(medians)) {
                List<Table> tables = Table.of(suite, Medians.read(medians, suite.name()));
                Optional<Table> drawn = drawn(tables);
                if (drawn.isPresent()) {
                    charts.add(suite.name(), drawn.get());
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

    /** {@return the table that is drawn, if one of them is} */
    static Optional<Table> drawn(List<Table> tables) {
        return tables.stream().filter(table -> table.section().chart() != Section.Chart.NONE && !table.isEmpty())
                .findFirst();
    }

    /**
     * Draws a table.
     *
     * @param suite the name of its suite
     * @param table the table, whose section has a chart
     * @return what shows it on a page in Markdown, in a directory beside that of the charts
     */
    Optional<String> draw(String suite, Table table) {
        try {
            if (!add(suite, table)) {
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
                </picture>""".formatted(DIRECTORY, file(suite, DARK), attribute(table.section().figure()),
                DIRECTORY, file(suite, LIGHT)));
    }

    /** {@return whether there is something to show} */
    private boolean add(String suite, Table table) throws IOException {
        Map<String, String> themes = draw(table);
        themes.forEach((theme, svg) -> files.put(file(suite, theme), svg));
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

    private static String file(String suite, String theme) {
        return suite + "-" + theme + ".svg";
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
