package dev.sluice.benchmarks.report;

import dev.sluice.benchmarks.run.Sample;
import dev.sluice.benchmarks.run.Section;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.internal.chartpart.Chart;

/** The charts of a report: two files each, of which a page shows the one that suits it. */
final class Charts {

    private static final String DIRECTORY = "charts";
    private static final String FORMAT = "svg";
    private static final String FORMER = "*-{light,dark}." + FORMAT;

    private static final Pattern DECIMALS = Pattern.compile("(\\.\\d\\d)\\d+");

    private final Palette palette;
    private final Map<String, String> files = new TreeMap<>();

    /**
     * Makes those of a report.
     *
     * @param samples all of the run, in their order
     */
    Charts(List<Sample> samples) {
        palette = new Palette(samples);
        prepare();
    }

    /** To be called before anything is drawn. */
    static void prepare() {
        // There is no window, even where there is a screen.
        System.setProperty("java.awt.headless", "true");
    }

    /**
     * Draws a table, if its section asks for that.
     *
     * @param suite the name of its suite
     * @param table to draw
     * @return what shows it on a page in Markdown
     */
    Optional<String> draw(String suite, Table table) {
        if (table.section().chart() == Section.Chart.NONE) {
            return Optional.empty();
        }
        String name = (suite + "-" + table.section().figure()).toLowerCase(Locale.ROOT)
                .replaceAll("[^a-z0-9]+", "-").replaceAll("-$", "");
        try {
            for (Theme theme : Theme.values()) {
                Optional<Chart<?, ?>> chart = new ChartDrawing(table, palette, theme).draw();
                if (chart.isEmpty()) {
                    return Optional.empty();
                }
                files.put(file(name, theme), svg(chart.get()));
            }
        } catch (LinkageError | InternalError e) {
            // A Java without the libraries that know fonts.
            return Optional.of("No chart, because Java cannot draw here: " + Markdown.text(e.toString()));
        } catch (RuntimeException e) {
            // The report of hours of measurement does not fail because of a chart.
            return Optional.of("No chart: " + Markdown.text(e.toString()));
        }
        return Optional.of("""
                <picture>
                  <source media="(prefers-color-scheme: dark)" srcset="%s/%s">
                  <img alt="chart: %s" src="%s/%s">
                </picture>""".formatted(DIRECTORY, file(name, Theme.DARK), attribute(table.section().figure()),
                DIRECTORY, file(name, Theme.LIGHT)));
    }

    private static String file(String name, Theme theme) {
        return name + "-" + theme.name().toLowerCase(Locale.ROOT) + "." + FORMAT;
    }

    private static String attribute(String text) {
        return text.replace("&", "&amp;").replace("\"", "&quot;").replace("<", "&lt;");
    }

    /** {@return a chart as text} */
    static String svg(Chart<?, ?> chart) {
        byte[] svg;
        try {
            svg = ChartEncoder.getBytes(chart, FORMAT);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        // Text is drawn as outlines, with more digits than are visible.
        return DECIMALS.matcher(new String(svg, StandardCharsets.UTF_8)).replaceAll("$1");
    }

    /**
     * Writes what was drawn into the directory of a run, in place of what an earlier report left there.
     *
     * @param run its directory
     * @throws IOException if something cannot be written
     */
    void write(Path run) throws IOException {
        Path directory = run.resolve(DIRECTORY);
        if (Files.isDirectory(directory)) {
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
