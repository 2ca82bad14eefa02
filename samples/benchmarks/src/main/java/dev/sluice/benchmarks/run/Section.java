package dev.sluice.benchmarks.run;

import java.util.List;

/**
 * A table of the report: what one figure is for each contestant, in each scenario.
 *
 * @param figure   what is measured, as in {@link Recorder#record}; also the heading of the table
 * @param unit     of the figure, such as "ns"
 * @param better   which direction is good
 * @param baseline the contestant that the others are compared with; null if ratios mean nothing
 * @param chart    how it is drawn
 * @param targets  what is to be reached
 */
public record Section(String figure, String unit, Better better, String baseline, Chart chart,
        List<Target> targets) {

    /** Makes one; the targets are copied. */
    public Section {
        targets = List.copyOf(targets);
    }

    /**
     * One without targets.
     *
     * @param figure   as above
     * @param unit     as above
     * @param better   as above
     * @param baseline as above
     * @param chart    as above
     */
    public Section(String figure, String unit, Better better, String baseline, Chart chart) {
        this(figure, unit, better, baseline, chart, List.of());
    }

    /**
     * {@return the same with targets}
     *
     * @param all of them, in the order in which they are shown
     */
    public Section with(Target... all) {
        return new Section(figure, unit, better, baseline, chart, List.of(all));
    }

    /** Which direction is good. */
    public enum Better {
        /** As of throughputs. */
        HIGHER,
        /** As of times. */
        LOWER
    }

    /** How a section is drawn. */
    public enum Chart {
        /** Not at all. */
        NONE,
        /** A group of bars for each scenario, relative to the baseline. */
        BARS,
        /** A line for each contestant over the scenarios, which are numbers; both scales are logarithmic. */
        LINES,
        /** A line for each contestant over time, see {@link Recorder#recordAt}. There is no table of it. */
        COURSE
    }
}
