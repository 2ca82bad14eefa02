package dev.sluice.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.benchmarks.PublishedSuites;
import dev.sluice.benchmarks.run.Section;
import dev.sluice.benchmarks.run.Suite;
import dev.sluice.samples.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The charts of the published results can be read where GitHub shows them, and show what their pages say. */
class PublishedChartsTest {

    private static final Path REPORT = Repository.root().resolve("samples/benchmarks");
    private static final int MAX_BYTES = 60_000;
    private static final int MAX_BYTES_OF_ALL = 1_500_000;
    private static final int MIN_FONT = 12;
    private static final int MAX_SERIES = 6;
    private static final Pattern FONT = Pattern.compile("font-size:\\s*([\\d.]+)");
    private static final Pattern TEXT = Pattern.compile("<text[^>]*>([^<]*)</text", Pattern.DOTALL);
    private static final Pattern PATH = Pattern.compile("<path[^>]*?\\sd=\"([^\"]*)\"", Pattern.DOTALL);

    static List<Suite> suites() {
        return PublishedSuites.all();
    }

    /** A chart and what it is drawn of. */
    private record Published(Suite suite, Table table) {

        Path file(String theme) {
            return REPORT.resolve("charts").resolve(toString() + "-" + theme + ".svg");
        }

        String text(String theme) throws IOException {
            return Files.readString(file(theme));
        }

        @Override
        public String toString() {
            return Charts.name(suite, table);
        }
    }

    static List<Published> charts() throws IOException {
        List<Published> charts = new ArrayList<>();
        for (Suite suite : suites()) {
            List<Table> tables = tables(suite);
            assertTrue(Charts.drawn(tables).isPresent(), suite.name());
            Charts.allDrawn(tables).forEach(table -> charts.add(new Published(suite, table)));
        }
        return charts;
    }

    private static List<Table> tables(Suite suite) throws IOException {
        return Table.of(suite, Medians.read(Medians.file(REPORT, suite.name()), suite.name()));
    }

    /** {@return what stands in a chart as text that can be searched and read out} */
    private static List<String> texts(String svg) {
        return TEXT.matcher(svg).results().map(each -> each.group(1).strip().replace("&apos;", "'").replace("&gt;", ">")
                .replace("&lt;", "<").replace("&amp;", "&")).toList();
    }

    @Test
    void allOfThemAreSmall() throws IOException {
        long all = 0;
        Set<String> names = new TreeSet<>();
        try (Stream<Path> charts = Files.list(REPORT.resolve("charts"))) {
            for (Path chart : charts.toList()) {
                assertTrue(Files.size(chart) <= MAX_BYTES, () -> chart + " has more than " + MAX_BYTES + " bytes");
                all += Files.size(chart);
                names.add(chart.getFileName().toString());
            }
        }
        long bytes = all;
        assertTrue(bytes <= MAX_BYTES_OF_ALL, () -> "all charts have " + bytes + " bytes");
        assertEquals(charts().stream().flatMap(chart -> Stream.of("dark", "light")
                        .map(theme -> chart.file(theme).getFileName().toString()))
                .collect(Collectors.toCollection(TreeSet::new)), names);
    }

    @ParameterizedTest
    @MethodSource("charts")
    void textIsTextOfAReadableSize(Published chart) throws IOException {
        for (String theme : List.of("light", "dark")) {
            String svg = chart.text(theme);
            assertTrue(svg.contains("viewBox=\"0 0 " + SvgCanvas.WIDTH + " "), chart.toString());
            FONT.matcher(svg).results().map(each -> Double.valueOf(each.group(1)))
                    .forEach(size -> assertTrue(size >= MIN_FONT, () -> chart + ": text of " + size + " px"));
            List<String> texts = texts(svg);
            assertTrue(texts.contains(chart.table().section().figure()), texts::toString);
            // Letters as outlines have curves; a round mark has four.
            PATH.matcher(svg).results().map(each -> each.group(1)).forEach(path -> assertTrue(
                    path.chars().filter(each -> each == 'C' || each == 'Q').count() <= 4,
                    () -> chart + ": is this a letter? " + path));
        }
    }

    @ParameterizedTest
    @MethodSource("charts")
    void namesEachOfAFewContestants(Published chart) throws IOException {
        List<String> contestants = ChartDrawing.contestants(chart.table());
        assertTrue(!contestants.isEmpty() && contestants.size() <= MAX_SERIES, contestants::toString);
        for (String theme : List.of("light", "dark")) {
            // A long name may take two lines.
            String texts = String.join(" ", texts(chart.text(theme)));
            contestants.forEach(each -> assertTrue(texts.contains(each), () -> each + " is not in " + texts));
        }
    }

    @ParameterizedTest
    @MethodSource("charts")
    void barsShowTheMedians(Published chart) throws IOException {
        Table table = chart.table();
        if (table.section().chart() != Section.Chart.BARS) {
            return;
        }
        List<String> expected = new ArrayList<>();
        for (String contestant : ChartDrawing.contestants(table)) {
            table.scenarios().forEach(scenario -> table.cell(contestant, scenario)
                    .ifPresent(cell -> expected.add(Numbers.brief(cell.median()))));
        }
        for (String theme : List.of("light", "dark")) {
            List<String> texts = new ArrayList<>(texts(chart.text(theme)));
            expected.forEach(value -> assertTrue(texts.remove(value), () -> value + " is not in " + texts));
        }
    }

    /** What a page shows in its tables is what the charts are drawn of. */
    @ParameterizedTest
    @MethodSource("suites")
    void pagesShowTheMedians(Suite suite) throws IOException {
        String page = Files.readString(REPORT.resolve(Page.file(suite)));
        for (Table table : tables(suite)) {
            if (table.section().chart() == Section.Chart.COURSE) {
                continue;
            }
            String figure = Markdown.text(table.section().figure());
            for (String contestant : table.contestants()) {
                String row = page.lines().dropWhile(line -> !line.equals("## " + figure)
                                && !line.equals("<summary>" + figure + "</summary>"))
                        .filter(line -> line.startsWith("| " + Markdown.text(contestant) + " |")).findFirst()
                        .orElseThrow(() -> new AssertionError(figure + ": no " + contestant));
                table.scenarios().forEach(scenario -> table.cell(contestant, scenario).ifPresent(cell -> assertTrue(
                        row.contains(Numbers.shown(cell.median())), () -> cell.median() + " is not in " + row)));
            }
        }
        for (Table table : Charts.allDrawn(tables(suite))) {
            String name = "../charts/" + Charts.name(suite, table);
            assertTrue(page.contains(name + "-dark.svg") && page.contains(name + "-light.svg"), name);
        }
    }
}
