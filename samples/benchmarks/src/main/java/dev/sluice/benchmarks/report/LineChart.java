package dev.sluice.benchmarks.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.Shape;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import org.jfree.chart.ChartRenderingInfo;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.Plot;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;

/** A line for each contestant, with its name at the right end; both scales are logarithmic. */
final class LineChart extends ChartDrawing {

    private static final int HEIGHT = 330;
    private static final int LEADER = 26;
    private static final List<Shape> MARKERS = List.of(new Ellipse2D.Double(-4, -4, 8, 8),
            new Rectangle2D.Double(-3.5, -3.5, 7, 7), polygon(0, -5, 5, 4, -5, 4), polygon(0, -5, 5, 0, 0, 5, -5, 0),
            polygon(0, 5, 5, -4, -5, -4), polygon(-5, -2, -5, 2, 5, 2, 5, -2));

    private final List<XYSeries> lines = new ArrayList<>();
    private final List<Color> colors;
    private XYPlot plot;

    /** The name of a line, and where it is written. */
    private static final class Name {

        private final int line;
        private final double end;
        private double at;

        Name(int line, double end) {
            this.line = line;
            this.end = end;
            this.at = end;
        }
    }

    LineChart(Table table, Theme theme) {
        super(table, theme);
        colors = Family.distinct(contestants, theme.lines().size()).stream().map(theme.lines()::get).toList();
        for (String contestant : contestants) {
            XYSeries line = new XYSeries(contestant);
            for (String scenario : table.scenarios()) {
                // There is no logarithm of nothing.
                table.cell(contestant, scenario).filter(cell -> cell.median() > 0).ifPresent(
                        cell -> line.add(Math.log10(number(scenario)), Math.log10(cell.median())));
            }
            lines.add(line);
        }
    }

    private static Shape polygon(double... coordinates) {
        Path2D path = new Path2D.Double();
        path.moveTo(coordinates[0], coordinates[1]);
        for (int i = 2; i < coordinates.length; i += 2) {
            path.lineTo(coordinates[i], coordinates[i + 1]);
        }
        path.closePath();
        return path;
    }

    @Override
    Plot plot() {
        XYSeriesCollection all = new XYSeriesCollection();
        DoubleSummaryStatistics numbers = new DoubleSummaryStatistics();
        DoubleSummaryStatistics values = new DoubleSummaryStatistics();
        XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer();
        for (int i = 0; i < lines.size(); i++) {
            XYSeries line = lines.get(i);
            all.addSeries(line);
            for (int j = 0; j < line.getItemCount(); j++) {
                numbers.accept(Math.pow(10, line.getX(j).doubleValue()));
                values.accept(Math.pow(10, line.getY(j).doubleValue()));
            }
            renderer.setSeriesPaint(i, colors.get(i));
            renderer.setSeriesStroke(i, new BasicStroke(2, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND));
            renderer.setSeriesShape(i, MARKERS.get(i));
        }
        NumberAxis horizontal = numbers.getCount() == 0 ? new NumberAxis()
                : new DecadeAxis(numbers.getMin(), numbers.getMax());
        NumberAxis vertical = values.getCount() == 0 ? new NumberAxis()
                : new DecadeAxis(values.getMin(), values.getMax());
        dress(horizontal);
        dress(vertical);
        horizontal.setLabel(axis());
        plot = new XYPlot(all, horizontal, vertical, renderer);
        plot.setBackgroundPaint(theme.background());
        plot.setRangeGridlinePaint(theme.grid());
        plot.setRangeGridlineStroke(new BasicStroke(1));
        plot.setDomainGridlinesVisible(false);
        plot.setOutlineVisible(false);
        plot.setAxisOffset(RectangleInsets.ZERO_INSETS);
        plot.setInsets(RectangleInsets.ZERO_INSETS);
        return plot;
    }

    private void dress(ValueAxis axis) {
        axis.setTickLabelFont(theme.font());
        axis.setTickLabelPaint(theme.text());
        axis.setLabelFont(theme.font());
        axis.setLabelPaint(theme.text());
        axis.setAxisLinePaint(theme.grid());
        axis.setTickMarkPaint(theme.grid());
    }

    private String axis() {
        if (table.section().axis() != null) {
            return table.section().axis();
        }
        List<String> scenarios = table.scenarios();
        return scenarios.isEmpty() ? null : counted(scenarios.get(scenarios.size() - 1));
    }

    @Override
    String remark() {
        return super.remark() + "; both scales are logarithmic";
    }

    @Override
    int height() {
        return HEIGHT;
    }

    @Override
    int right() {
        return LEADER + SvgCanvas.width(theme.font(), contestants) + GAP;
    }

    @Override
    void label(Graphics2D graphics, ChartRenderingInfo info) {
        Rectangle2D area = info.getPlotInfo().getDataArea();
        List<Name> names = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            if (!lines.get(i).isEmpty()) {
                names.add(new Name(i, plot.getRangeAxis().valueToJava2D(last(i).doubleValue(), area,
                        RectangleEdge.LEFT)));
            }
        }
        spread(names, area);
        double left = area.getMaxX() + LEADER;
        for (Name name : names) {
            XYSeries line = lines.get(name.line);
            double end = plot.getDomainAxis().valueToJava2D(line.getMaxX(), area, RectangleEdge.BOTTOM);
            graphics.setPaint(theme.grid());
            graphics.setStroke(new BasicStroke(1));
            graphics.draw(new Line2D.Double(end + 7, name.end, left - 4, name.at));
            graphics.setPaint(colors.get(name.line));
            write(graphics, contestants.get(name.line), left, name.at + 4, 0);
        }
    }

    private Number last(int line) {
        return lines.get(line).getY(lines.get(line).getItemCount() - 1);
    }

    /** Moves names that would overlap apart, and all of them into the chart. */
    private static void spread(List<Name> names, Rectangle2D area) {
        names.sort(Comparator.comparingDouble(name -> name.end));
        for (int i = 0; i < names.size(); i++) {
            double top = i == 0 ? area.getMinY() + 4 : names.get(i - 1).at + LINE;
            names.get(i).at = Math.max(names.get(i).at, top);
        }
        double bottom = area.getMaxY();
        for (int i = names.size() - 1; i >= 0; i--) {
            names.get(i).at = Math.min(names.get(i).at, bottom);
            bottom = names.get(i).at - LINE;
        }
    }
}
