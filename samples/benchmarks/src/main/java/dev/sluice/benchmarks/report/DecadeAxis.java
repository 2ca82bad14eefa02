package dev.sluice.benchmarks.report;

import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;
import org.jfree.chart.axis.AxisState;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTick;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.TextAnchor;

/** A logarithmic scale, on which the logarithms of values are drawn, with labels at 1, 2 and 5 of each decade. */
@SuppressWarnings("serial") // It is never written as an object.
final class DecadeAxis extends NumberAxis {

    /** With this number of decades and more, there is space for one label in each. */
    private static final double MANY = 3.5;
    private static final double MARGIN = 0.04;
    /** With it on both sides, an axis has a label at least on both of them. */
    private static final double LONGER = 2.5;
    /** How exact products of powers of ten are. */
    private static final double ROUNDING = 1e-9;
    private static final double[] STEPS = {1, 2, 5};

    private final double lowest;
    private final double highest;
    private final boolean isFine;

    /**
     * Creates an instance. If fewer than two labels would fit between the lowest and the highest value, it is longer.
     *
     * @param lowest  the lowest value; more than 0
     * @param highest the highest value; not below the lowest
     */
    DecadeAxis(double lowest, double highest) {
        this.isFine = Math.log10(highest / lowest) < MANY;
        boolean isTooShort = labels(lowest, highest).size() < 2;
        this.lowest = isTooShort ? lowest / LONGER : lowest;
        this.highest = isTooShort ? highest * LONGER : highest;
        double from = Math.log10(this.lowest);
        double to = Math.log10(this.highest);
        double margin = MARGIN * (to - from);
        setRange(from - margin, to + margin);
    }

    private List<Double> labels(double from, double to) {
        List<Double> labels = new ArrayList<>();
        for (double decade = Math.pow(10, Math.floor(Math.log10(from))); decade <= to * (1 + ROUNDING); decade *= 10) {
            for (double step : STEPS) {
                double value = decade * step;
                if ((isFine || step == 1) && value >= from * (1 - ROUNDING) && value <= to * (1 + ROUNDING)) {
                    labels.add(value);
                }
            }
        }
        return labels;
    }

    @Override
    @SuppressWarnings("rawtypes") // JFreeChart's own signature.
    public List refreshTicks(Graphics2D graphics, AxisState state, Rectangle2D area, RectangleEdge edge) {
        TextAnchor anchor = RectangleEdge.isTopOrBottom(edge) ? TextAnchor.TOP_CENTER : TextAnchor.CENTER_RIGHT;
        List<NumberTick> ticks = new ArrayList<>();
        for (double value : labels(lowest, highest)) {
            ticks.add(new NumberTick(Math.log10(value), Numbers.round(value), anchor, TextAnchor.CENTER, 0));
        }
        return ticks;
    }
}
