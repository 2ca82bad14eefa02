package dev.sluice.benchmarks.run;

import java.util.List;

/**
 * A table of the report: what one figure is for each contestant, in each scenario.
 *
 * @param figure   what is measured, as in {@link Recorder#record}; also the heading of the table
 * @param unit     of the figure, such as "ns"
 * @param better   which direction is good
 * @param baseline the contestant that the others are compared with; null if ratios mean nothing
 * @param chart    how it is drawn; of a suite, the first section that has a chart is drawn, and those with questions
 * @param targets  what is to be reached
 * @param drawn    the contestants that the chart shows; if empty, the first {@link #MAX_DRAWN}
 * @param axis     what the numbers of the scenarios count, for a chart of lines; null if the scenarios say it
 * @param question what its chart answers, if that is not the question of the suite; null if it is
 */
public record Section(String figure, String unit, Better better, String baseline, Chart chart,
        List<Target> targets, List<String> drawn, String axis, Question question) {

    /** The maximum number of contestants in a chart. */
    public static final int MAX_DRAWN = 6;

    /** Creates a section; the lists are copied. */
    public Section {
        targets = List.copyOf(targets);
        drawn = List.copyOf(drawn);
        if (drawn.size() > MAX_DRAWN) {
            throw new IllegalArgumentException("a chart shows at most " + MAX_DRAWN + " contestants: " + drawn);
        }
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
        this(figure, unit, better, baseline, chart, List.of(), List.of(), null, null);
    }

    /**
     * {@return the same with targets}
     *
     * @param all of them, in the order in which they are shown
     */
    public Section with(Target... all) {
        return new Section(figure, unit, better, baseline, chart, List.of(all), drawn, axis, question);
    }

    /**
     * {@return the same with a chart of some contestants}
     *
     * @param contestants at most {@link #MAX_DRAWN}, in the order in which they are drawn
     */
    public Section drawing(String... contestants) {
        return new Section(figure, unit, better, baseline, chart, targets, List.of(contestants), axis,
                question);
    }

    /**
     * {@return the same with a name for the horizontal axis}
     *
     * @param counted what the numbers of the scenarios count
     */
    public Section over(String counted) {
        return new Section(figure, unit, better, baseline, chart, targets, drawn, counted, question);
    }

    /**
     * {@return the same with a question of its own, whose chart and table the page shows besides the suite's}
     *
     * @param own the question
     */
    public Section answering(Question own) {
        return new Section(figure, unit, better, baseline, chart, targets, drawn, axis, own);
    }

    /**
     * A further question of a suite.
     *
     * @param name a part of the names of the files of its chart: small letters and hyphens
     * @param text the question, in one line without a question mark
     */
    public record Question(String name, String text) {
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
        /** A row for each contestant and a column for each scenario, with a bar and its value in each. */
        BARS,
        /** A line for each contestant over the scenarios, which are numbers; both scales are logarithmic. */
        LINES,
        /** A strip for each contestant with a line over time, see {@link Recorder#recordAt}; without a table. */
        COURSE
    }
}
