package dev.sluice.benchmarks.run;

/** Takes what a trial has measured. */
public interface Recorder {

    /**
     * Takes one value. More of one figure in one measurement are samples of their own.
     *
     * @param figure what was measured: one of the suite's {@link Suite#sections}, or one for the raw data alone
     * @param value  in the unit of the section
     */
    void record(String figure, double value);

    /**
     * Takes one value of a course over time.
     *
     * @param at     stands for the scenario of the sample: when that was, beginning with a number
     * @param figure as above
     * @param value  as above
     */
    void recordAt(String at, String figure, double value);
}
