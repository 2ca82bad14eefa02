package dev.sluice.benchmarks.report;

import java.awt.BasicStroke;
import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jfree.chart.ChartRenderingInfo;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.CombinedDomainXYPlot;
import org.jfree.chart.plot.Plot;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;

/** A strip for each contestant, with a line over time in it; all strips have the same scales. */
final class CourseChart extends ChartDrawing {

    private static final int STRIP = 52;
    private static final int STRIP_GAP = 12;
    private static final int AXIS = 44;
    /** Above the highest value, as a share of it. */
    private static final double MARGIN = 0.05;

    private final double highest;

    CourseChart(Table table, Theme theme) {
        super(table, theme);
        highest = contestants.stream().flatMap(contestant -> table.scenarios().stream()
                        .flatMap(scenario -> table.cell(contestant, scenario).stream()))
                .mapToDouble(Cell::median).max().orElse(1);
    }

    @Override
    Plot plot() {
        NumberAxis seconds = new NumberAxis("seconds");
        dress(seconds);
        seconds.setAutoRangeIncludesZero(true);
        seconds.setLowerMargin(0);
        seconds.setUpperMargin(0);
        CombinedDomainXYPlot plot = new CombinedDomainXYPlot(seconds);
        plot.setGap(STRIP_GAP);
        contestants.forEach(contestant -> plot.add(strip(contestant)));
        plot.setInsets(RectangleInsets.ZERO_INSETS);
        return plot;
    }

    private XYPlot strip(String contestant) {
        List<Course.Point> points = new ArrayList<>();
        for (String scenario : table.scenarios()) {
            table.cell(contestant, scenario).ifPresent(
                    cell -> points.add(new Course.Point(number(scenario), cell.median())));
        }
        points.sort(Comparator.comparingDouble(Course.Point::seconds));
        XYSeries line = new XYSeries(contestant, false);
        Course.thinned(points, SvgCanvas.WIDTH).forEach(point -> line.add(point.seconds(), point.value()));
        NumberAxis scale = new NumberAxis();
        dress(scale);
        scale.setRange(0, highest == 0 ? 1 : highest * (1 + MARGIN));
        double step = step();
        scale.setTickUnit(new NumberTickUnit(step) {
            @Override
            public String valueToString(double value) {
                return value == 0 ? "0" : Numbers.round(value);
            }
        });
        XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer(true, false);
        renderer.setDrawSeriesLineAsPath(true);
        renderer.setSeriesPaint(0, theme.lines().get(Family.of(contestant).ordinal()));
        renderer.setSeriesStroke(0, new BasicStroke(2, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND));
        XYPlot strip = new XYPlot(new XYSeriesCollection(line), null, scale, renderer);
        strip.setBackgroundPaint(theme.background());
        strip.setRangeGridlinePaint(theme.grid());
        strip.setRangeGridlineStroke(new BasicStroke(1));
        strip.setDomainGridlinePaint(theme.grid());
        strip.setDomainGridlineStroke(new BasicStroke(1));
        strip.setOutlineVisible(false);
        strip.setAxisOffset(RectangleInsets.ZERO_INSETS);
        return strip;
    }

    /** {@return the largest of 1, 2 and 5, times a power of 10, that is not above the highest value} */
    private double step() {
        double decade = Math.pow(10, Math.floor(Math.log10(highest == 0 ? 1 : highest) + 1e-9));
        for (double step : new double[] {5, 2}) {
            if (decade * step <= highest) {
                return decade * step;
            }
        }
        return decade;
    }

    private void dress(ValueAxis axis) {
        axis.setTickLabelFont(theme.font());
        axis.setTickLabelPaint(theme.text());
        axis.setLabelFont(theme.font());
        axis.setLabelPaint(theme.text());
        axis.setAxisLinePaint(theme.grid());
        axis.setTickMarkPaint(theme.grid());
    }

    @Override
    String remark() {
        return super.remark() + "; all strips have the same scale";
    }

    @Override
    int height() {
        return contestants.size() * (STRIP + STRIP_GAP) - STRIP_GAP + AXIS;
    }

    @Override
    int top() {
        return GAP;
    }

    /** {@return space for the half of a label that is beyond the end} */
    @Override
    int right() {
        return GAP;
    }

    @Override
    int left() {
        return SvgCanvas.width(theme.font(), contestants) + GAP;
    }

    @Override
    void label(Graphics2D graphics, ChartRenderingInfo info) {
        for (int i = 0; i < contestants.size(); i++) {
            Rectangle2D strip = info.getPlotInfo().getSubplotInfo(i).getDataArea();
            graphics.setPaint(theme.text());
            write(graphics, contestants.get(i), GAP, strip.getCenterY() + 4, 0);
        }
    }
}
