package dev.sluice.benchmarks.report;

import dev.sluice.benchmarks.run.Section.Better;
import java.awt.BasicStroke;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.knowm.xchart.AnnotationLine;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.internal.chartpart.Chart;

/** Draws a table. */
final class ChartDrawing {

    private static final int HEIGHT = 440;
    private static final int LEGEND_LINE = 25;
    // As wide as GitHub shows it without making it smaller.
    private static final int WIDTH = 1000;
    private static final int WIDTH_OF_LETTER = 8;
    private static final int STEEP = 25;
    // Beyond that, one bar would flatten all others.
    private static final double HIGHEST_RATIO = 4;
    private static final Pattern NUMBER = Pattern.compile("\\d[\\d ,]*(\\.\\d+)?");

    private final Table table;
    private final Palette palette;
    private final Theme theme;

    ChartDrawing(Table table, Palette palette, Theme theme) {
        this.table = table;
        this.palette = palette;
        this.theme = theme;
    }

    /** {@return the chart that the section asks for, if there is something to show} */
    Optional<Chart<?, ?>> draw() {
        return switch (table.section().chart()) {
            case LINES -> lines(true);
            case COURSE -> lines(false);
            case BARS, NONE -> bars();
        };
    }

    private Optional<Chart<?, ?>> bars() {
        boolean relative = table.section().baseline() != null;
        CategoryChart chart = new CategoryChartBuilder().title(table.section().figure())
                .width(WIDTH).height(height()).build();
        theme.dress(chart.getStyler());
        chart.getStyler().setAvailableSpaceFill(0.85).setYAxisMin(0.0);
        if (areCrowded(table.scenarios())) {
            chart.getStyler().setXAxisLabelRotation(STEEP).setXAxisMaxLabelCount(table.scenarios().size());
        }
        double highest = 0;
        boolean isEmpty = true;
        for (String contestant : table.contestants()) {
            List<Double> values = new ArrayList<>();
            for (String scenario : table.scenarios()) {
                OptionalDouble value = relative ? table.medianRatio(contestant, scenario)
                        : table.cell(contestant, scenario).map(cell -> OptionalDouble.of(cell.median()))
                                .orElse(OptionalDouble.empty());
                values.add(value.isPresent() ? value.getAsDouble() : null);
                highest = Math.max(highest, value.orElse(0));
            }
            if (values.stream().anyMatch(Objects::nonNull)) {
                isEmpty = false;
                chart.addSeries(contestant, table.scenarios(), values)
                        .setFillColor(palette.color(contestant, theme));
            }
        }
        chart.setYAxisTitle(unit());
        if (relative) {
            boolean cut = highest > HIGHEST_RATIO;
            chart.setYAxisTitle("times as good as " + table.section().baseline()
                    + (cut ? ", cut off at " + Math.round(HIGHEST_RATIO) : ""));
            if (cut) {
                chart.getStyler().setYAxisMax(HIGHEST_RATIO);
            }
            chart.getStyler().setYAxisDecimalPattern("0.##");
            chart.getStyler().setAnnotationLineStroke(new BasicStroke(1.5f));
            chart.addAnnotation(new AnnotationLine(1, false, false));
        }
        return isEmpty ? Optional.empty() : Optional.of(chart);
    }

    private Optional<Chart<?, ?>> lines(boolean logarithmic) {
        XYChart chart = new XYChartBuilder().title(table.section().figure()).width(WIDTH).height(height())
                .yAxisTitle(unit()).build();
        theme.dress(chart.getStyler());
        chart.getStyler().setMarkerSize(8);
        if (logarithmic) {
            chart.getStyler().setXAxisLogarithmic(true).setYAxisLogarithmic(true)
                    .setXAxisLogarithmicDecadeOnly(false).setYAxisLogarithmicDecadeOnly(false)
                    .setXAxisTickLabelsFormattingFunction(ChartDrawing::tick)
                    .setYAxisTickLabelsFormattingFunction(ChartDrawing::tick);
        } else {
            chart.setXAxisTitle("seconds");
        }
        boolean isEmpty = true;
        double least = Double.MAX_VALUE;
        double most = 0;
        for (String contestant : table.contestants()) {
            List<Double> numbers = new ArrayList<>();
            List<Double> values = new ArrayList<>();
            for (String scenario : table.scenarios()) {
                table.cell(contestant, scenario).filter(cell -> !logarithmic || cell.median() > 0).ifPresent(cell -> {
                    numbers.add(number(scenario));
                    values.add(cell.median());
                });
            }
            if (!values.isEmpty()) {
                isEmpty = false;
                least = Math.min(least, Collections.min(values));
                most = Math.max(most, Collections.max(values));
                XYSeries series = chart.addSeries(contestant, numbers, values);
                series.setLineColor(palette.color(contestant, theme)).setLineStyle(palette.stroke(contestant));
                series.setMarkerColor(palette.color(contestant, theme)).setMarker(palette.marker(contestant));
            }
        }
        if (!isEmpty && !logarithmic) {
            chart.getStyler().setYAxisMin(0.0);
        } else if (!isEmpty) {
            chart.getStyler().setYAxisMin(labelled(least, true)).setYAxisMax(labelled(most, false));
        }
        return isEmpty ? Optional.empty() : Optional.of(chart);
    }

    /** {@return the number that a scenario begins with} */
    private static double number(String scenario) {
        Matcher number = NUMBER.matcher(scenario);
        if (!number.lookingAt()) {
            throw new IllegalArgumentException("no number, so that there can be no line: " + scenario);
        }
        return Double.parseDouble(number.group().replaceAll("[ ,]", ""));
    }

    // The legend takes as much as its longest line.
    private boolean areCrowded(List<String> labels) {
        int longestName = table.contestants().stream().mapToInt(String::length).max().orElse(0);
        int width = (WIDTH - 150 - longestName * WIDTH_OF_LETTER) / labels.size();
        return labels.stream().anyMatch(label -> label.length() * WIDTH_OF_LETTER > width);
    }

    /** {@return the label of a place on a logarithmic scale: of 1, 2 and 5 in each decade} */
    private static String tick(double value) {
        long first = Math.round(value / Math.pow(10, Math.floor(Math.log10(value) + 1e-9)));
        return first == 1 || first == 2 || first == 5 ? Numbers.round(value) : "";
    }

    /** {@return the nearest labelled place on a logarithmic scale, below or above, so that there are at least two} */
    private static double labelled(double value, boolean below) {
        double decade = Math.pow(10, Math.floor(Math.log10(value)));
        double[] places = below ? new double[] {5, 2, 1} : new double[] {1, 2, 5, 10};
        for (double place : places) {
            if (below ? decade * place <= value : decade * place >= value) {
                return decade * place;
            }
        }
        throw new IllegalArgumentException("not on a logarithmic scale: " + value);
    }

    private int height() {
        return Math.max(HEIGHT, table.contestants().size() * LEGEND_LINE + 90);
    }

    private String unit() {
        return table.section().unit() + (table.section().better() == Better.HIGHER ? " (more is better)"
                : " (less is better)");
    }
}
