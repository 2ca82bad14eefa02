package dev.sluice.benchmarks.run;

import java.io.IOException;
import java.time.Duration;

/** One contestant in one scenario. */
public interface Trial {

    /** {@return the scenario in which contestants are compared: the column of the table, or the point of the chart} */
    String scenario();

    /** {@return the name of the contestant: the row of the table} */
    String contestant();

    /** {@return the planned duration of one call of {@link #measure}, everything included} */
    Duration planned();

    /** {@return the same for the first call, which may have more to warm up} */
    default Duration plannedAtFirst() {
        return planned();
    }

    /**
     * Measures once.
     *
     * @param recorder takes each figure
     * @throws IOException          if it cannot be measured, or the work was not done: then the results of this trial
     *                              do not count, including those of earlier rounds
     * @throws InterruptedException if the thread is interrupted
     */
    void measure(Recorder recorder) throws IOException, InterruptedException;
}
