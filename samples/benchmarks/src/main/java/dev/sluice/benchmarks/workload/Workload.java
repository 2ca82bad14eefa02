package dev.sluice.benchmarks.workload;

import dev.sluice.benchmarks.run.Recorder;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;

/** The work of one contestant. Created from a list of arguments, by a public constructor. */
public interface Workload extends Closeable {

    /**
     * Works, and checks what it did.
     *
     * @param time     how long to go on at least
     * @param recorder takes each figure
     * @throws IOException          if the work cannot be done, or was not done
     * @throws InterruptedException if the thread is interrupted
     */
    void work(Duration time, Recorder recorder) throws IOException, InterruptedException;

    /**
     * Works to warm up; by default as it works when it is measured.
     *
     * @param time     how long to go on at least
     * @param recorder takes each figure; they are not used
     * @throws IOException          as for {@link #work}
     * @throws InterruptedException as for {@link #work}
     */
    default void warmUp(Duration time, Recorder recorder) throws IOException, InterruptedException {
        work(time, recorder);
    }

    /**
     * {@return how often it works to warm up, each time for an equal part} The compiler discards the code of a loop
     * that has not ended before when it comes to the first end, and, as it learns, more than once. So by default the
     * first few parts end; 1 suits work whose course depends on the time, such as a period.
     */
    default int warmUpParts() {
        return 6;
    }
}
