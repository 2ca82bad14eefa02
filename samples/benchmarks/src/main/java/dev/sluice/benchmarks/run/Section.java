package dev.sluice.benchmarks.run;

/**
 * A table of the report: what one figure is for each contestant, in each scenario.
 *
 * @param figure   what is measured, as in {@link Recorder#record}; also the heading of the table
 * @param unit     of the figure, such as "ns"
 * @param better   which direction is good
 * @param baseline the contestant that the others are compared with; null if ratios mean nothing
 * @param chart    how it is drawn
 */
public record Section(String figure, String unit, Better better, String baseline, Chart chart) {

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
        LINES
    }
}
