package dev.sluice.benchmarks.report;

import dev.sluice.benchmarks.run.Section;
import dev.sluice.benchmarks.run.Section.Better;
import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jfree.chart.ChartRenderingInfo;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.plot.Plot;
import org.jfree.chart.ui.RectangleInsets;

/** Draws a table: the contestants that its section names, each with its name beside what is drawn of it. */
abstract class ChartDrawing {

    /** Between things that do not belong together, in pixels. */
    static final int GAP = 10;
    /** The height of a line of text, in pixels. */
    static final int LINE = 16;

    /** Where a title and a line below it end. */
    private static final int HEAD = 46;
    private static final int TITLE_BASE = 20;
    private static final int UNIT_BASE = 38;
    private static final Pattern NUMBER = Pattern.compile("\\d[\\d ,]*(\\.\\d+)?");

    final Table table;
    final Theme theme;
    final List<String> contestants;

    ChartDrawing(Table table, Theme theme) {
        this.table = table;
        this.theme = theme;
        this.contestants = contestants(table);
    }

    /**
     * {@return a table's chart as SVG, if there is anything to show}
     *
     * @param table of a section with a chart
     * @param theme the colours
     */
    static Optional<String> svg(Table table, Theme theme) {
        if (contestants(table).isEmpty()) {
            return Optional.empty();
        }
        ChartDrawing drawing = switch (table.section().chart()) {
            case LINES -> new LineChart(table, theme);
            case COURSE -> new CourseChart(table, theme);
            case BARS -> new BarChart(table, theme);
            case NONE -> throw new IllegalArgumentException("no chart: " + table.section());
        };
        return Optional.of(drawing.draw());
    }

    /** {@return those that a table's chart shows} */
    static List<String> contestants(Table table) {
        List<String> measured = table.contestants();
        List<String> drawn = table.section().drawn();
        return (drawn.isEmpty() ? measured.stream() : drawn.stream().filter(measured::contains))
                .limit(Section.MAX_DRAWN).toList();
    }

    /** {@return the number that a scenario begins with} */
    static double number(String scenario) {
        Matcher number = NUMBER.matcher(scenario);
        if (!number.lookingAt()) {
            throw new IllegalArgumentException("no number, so that there can be no line: " + scenario);
        }
        return Double.parseDouble(number.group().replaceAll("[ ,]", ""));
    }

    /** {@return what follows the number of a scenario} */
    static String counted(String scenario) {
        return NUMBER.matcher(scenario).replaceFirst("").strip();
    }

    private String draw() {
        JFreeChart chart = new JFreeChart(null, theme.font(), plot(), false);
        chart.setBackgroundPaint(theme.background());
        chart.setPadding(new RectangleInsets(HEAD + top(), GAP + left(), bottom(), GAP + right()));
        SvgCanvas canvas = new SvgCanvas(HEAD + top() + height() + bottom(), theme);
        Graphics2D graphics = canvas.graphics();
        ChartRenderingInfo info = new ChartRenderingInfo(null);
        chart.draw(graphics, new Rectangle2D.Double(0, 0, SvgCanvas.WIDTH, HEAD + top() + height() + bottom()), null,
                info);
        graphics.setPaint(theme.text());
        graphics.setFont(theme.titleFont());
        graphics.drawString(table.section().figure(), GAP, TITLE_BASE);
        graphics.setFont(theme.font());
        graphics.drawString(remark(), GAP, UNIT_BASE);
        label(graphics, info);
        return canvas.text();
    }

    /** {@return the line below the title} */
    String remark() {
        return "in " + table.section().unit() + "; "
                + (table.section().better() == Better.HIGHER ? "more" : "less") + " is better";
    }

    /** {@return what JFreeChart draws} */
    abstract Plot plot();

    /** {@return the height of the plot with its axes} */
    abstract int height();

    /** {@return the space above the plot} */
    int top() {
        return 0;
    }

    /** {@return the space to the left of the plot and its axis} */
    int left() {
        return 0;
    }

    /** {@return the space to the right of the plot} */
    int right() {
        return 0;
    }

    /** {@return the space below the plot and its axis} */
    int bottom() {
        return GAP;
    }

    /** Writes the names of what has been drawn. */
    abstract void label(Graphics2D graphics, ChartRenderingInfo info);

    /** Writes text that begins, ends or is centred at a place. */
    static void write(Graphics2D graphics, String text, double x, double y, double shareBefore) {
        graphics.drawString(text, (float) (x - shareBefore * graphics.getFontMetrics().stringWidth(text)), (float) y);
    }
}
