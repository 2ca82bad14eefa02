package dev.sluice.benchmarks.report;

import dev.sluice.benchmarks.run.Section.Better;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.Paint;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jfree.chart.ChartRenderingInfo;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.labels.CategoryItemLabelGenerator;
import org.jfree.chart.labels.ItemLabelAnchor;
import org.jfree.chart.labels.ItemLabelPosition;
import org.jfree.chart.labels.StandardCategoryItemLabelGenerator;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.CombinedDomainCategoryPlot;
import org.jfree.chart.plot.Plot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.chart.ui.TextAnchor;
import org.jfree.data.category.CategoryDataset;
import org.jfree.data.category.DefaultCategoryDataset;

/** A row for each contestant and a column for each scenario; the longest bar of a column fills it. */
final class BarChart extends ChartDrawing {

    private static final int ROW = 30;
    private static final double SPACE_BETWEEN_ROWS = 0.2;
    private static final int COLUMN_GAP = 8;
    private static final int VALUE_INDENT = 4;
    /** The width of names beside a few columns, and beside many. */
    private static final int LONGEST_NAME = 330;
    private static final int LONGEST_NAME_BESIDE_MANY = 230;
    private static final int MANY = 5;

    private final List<String> scenarios;

    BarChart(Table table, Theme theme) {
        super(table, theme);
        scenarios = table.scenarios().stream().filter(scenario -> contestants.stream()
                .anyMatch(contestant -> table.cell(contestant, scenario).isPresent())).toList();
    }

    @Override
    Plot plot() {
        CategoryAxis names = new CategoryAxis();
        names.setLowerMargin(0);
        names.setUpperMargin(0);
        names.setCategoryMargin(SPACE_BETWEEN_ROWS);
        names.setTickLabelFont(theme.font());
        names.setTickLabelPaint(theme.text());
        names.setCategoryLabelPositionOffset(GAP);
        names.setAxisLineVisible(false);
        names.setTickMarksVisible(false);
        names.setMaximumCategoryLabelLines(2);
        names.setMaximumCategoryLabelWidthRatio((float) (widthOfNames() + GAP) / SvgCanvas.WIDTH);
        CombinedDomainCategoryPlot plot = new CombinedDomainCategoryPlot(names);
        plot.setGap(COLUMN_GAP);
        scenarios.forEach(scenario -> plot.add(column(scenario)));
        plot.setOrientation(PlotOrientation.HORIZONTAL);
        plot.setOutlineVisible(false);
        plot.setInsets(RectangleInsets.ZERO_INSETS);
        return plot;
    }

    private CategoryPlot column(String scenario) {
        DefaultCategoryDataset values = new DefaultCategoryDataset();
        double highest = 0;
        for (String contestant : contestants) {
            Double value = table.cell(contestant, scenario).map(Cell::median).orElse(null);
            values.addValue(value, scenario, contestant);
            highest = Math.max(highest, value == null ? 0 : value);
        }
        NumberAxis scale = new NumberAxis();
        scale.setRange(0, highest == 0 ? 1 : highest);
        scale.setVisible(false);
        CategoryPlot column = new CategoryPlot(values, null, scale, new Bars(best(scenario)));
        column.setRangeGridlinesVisible(false);
        column.setOutlineVisible(false);
        column.setBackgroundPaint(theme.background());
        return column;
    }

    /** {@return those of the contestants in the chart that are best by the values as shown} */
    private Set<String> best(String scenario) {
        List<String> measured = contestants.stream()
                .filter(contestant -> table.cell(contestant, scenario).isPresent()).toList();
        DoubleSummaryStatistics medians = measured.stream()
                .mapToDouble(contestant -> median(contestant, scenario)).summaryStatistics();
        String best = Numbers.brief(table.section().better() == Better.HIGHER ? medians.getMax() : medians.getMin());
        return measured.stream().filter(contestant -> Numbers.brief(median(contestant, scenario)).equals(best))
                .collect(Collectors.toSet());
    }

    private double median(String contestant, String scenario) {
        return table.cell(contestant, scenario).orElseThrow().median();
    }

    /** Bars with their values on them, from the left edge of a column on. */
    @SuppressWarnings("serial") // It is never written as an object.
    private final class Bars extends BarRenderer {

        private final Set<String> best;

        Bars(Set<String> best) {
            this.best = best;
            setBarPainter(new StandardBarPainter());
            setShadowVisible(false);
            setDrawBarOutline(false);
            setMaximumBarWidth(1);
            setItemLabelInsets(new RectangleInsets(0, VALUE_INDENT, 0, 0));
            ItemLabelPosition atTheLeft = new ItemLabelPosition(ItemLabelAnchor.INSIDE9, TextAnchor.CENTER_LEFT);
            setDefaultPositiveItemLabelPosition(atTheLeft);
            setPositiveItemLabelPositionFallback(atTheLeft);
            setDefaultItemLabelsVisible(true);
            setDefaultItemLabelPaint(theme.text());
            CategoryItemLabelGenerator brief = new StandardCategoryItemLabelGenerator() {
                @Override
                public String generateLabel(CategoryDataset values, int row, int column) {
                    Number value = values.getValue(row, column);
                    return value == null ? "" : Numbers.brief(value.doubleValue());
                }
            };
            setDefaultItemLabelGenerator(brief);
        }

        @Override
        public Paint getItemPaint(int row, int column) {
            return color(contestants.get(column));
        }

        @Override
        public Font getItemLabelFont(int row, int column) {
            return best.contains(contestants.get(column)) ? theme.boldFont() : theme.font();
        }
    }

    private Color color(String contestant) {
        return theme.bars().get(Family.of(contestant).ordinal());
    }

    @Override
    String remark() {
        return super.remark() + ", and the best of a column is bold. The longest bar fills its column.";
    }

    @Override
    int height() {
        return contestants.size() * ROW;
    }

    @Override
    int top() {
        return LINE * scenarios.stream().mapToInt(scenario -> lines(scenario).size()).max().orElse(0) + GAP;
    }

    private int widthOfNames() {
        return Math.min(scenarios.size() < MANY ? LONGEST_NAME : LONGEST_NAME_BESIDE_MANY,
                SvgCanvas.width(theme.font(), contestants));
    }

    /** {@return the heading of a column in as many lines as it needs; long words are left as they are} */
    private List<String> lines(String scenario) {
        int width = (SvgCanvas.WIDTH - 3 * GAP - widthOfNames()) / scenarios.size() - COLUMN_GAP;
        List<String> lines = new ArrayList<>();
        for (String word : scenario.split(" ")) {
            String longer = lines.isEmpty() ? word : lines.get(lines.size() - 1) + " " + word;
            if (!lines.isEmpty() && SvgCanvas.width(theme.font(), List.of(longer)) <= width) {
                lines.set(lines.size() - 1, longer);
            } else {
                lines.add(word);
            }
        }
        return lines;
    }

    @Override
    void label(Graphics2D graphics, ChartRenderingInfo info) {
        for (int i = 0; i < scenarios.size(); i++) {
            Rectangle2D column = info.getPlotInfo().getSubplotInfo(i).getDataArea();
            List<String> lines = lines(scenarios.get(i));
            for (int j = 0; j < lines.size(); j++) {
                double base = column.getMinY() - (lines.size() - j - 1) * LINE - GAP * 0.6;
                write(graphics, lines.get(j), column.getMinX(), base, 0);
            }
        }
    }
}
