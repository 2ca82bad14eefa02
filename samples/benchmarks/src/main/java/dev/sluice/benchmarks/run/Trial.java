package dev.sluice.benchmarks.run;

import java.io.IOException;
import java.time.Duration;

/** One contestant in one scenario. */
public interface Trial {

    /** {@return what is the same for all who are compared: the column of the table, or the point of the chart} */
    String scenario();

    /** {@return who is measured: the row of the table} */
    String contestant();

    /** {@return how long one call of {@link #measure} should take, all included} */
    Duration planned();

    /** {@return the same for the first call, which may have more to warm up} */
    default Duration plannedAtFirst() {
        return planned();
    }

    /**
     * Measures once.
     *
     * @param recorder takes each figure
     * @throws IOException          if it cannot be measured, or did not do the work: then nothing of this trial counts,
     *                              not even of earlier rounds
     * @throws InterruptedException if the thread is interrupted
     */
    void measure(Recorder recorder) throws IOException, InterruptedException;
}
