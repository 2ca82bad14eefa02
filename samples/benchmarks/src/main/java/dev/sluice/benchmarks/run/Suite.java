package dev.sluice.benchmarks.run;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Benchmarks that answer one question, and have one page of the report. */
public interface Suite {

    /** {@return its name on the command line: one word} */
    String name();

    /** {@return what it measures, in one line} */
    String summary();

    /** {@return the method of the measurement: Markdown, one or more paragraphs} */
    String method();

    /** {@return the tables of its chapter, in their order} */
    List<Section> sections();

    /**
     * {@return the approximate duration of the whole suite, including its preparation; called before anything is
     * prepared}
     *
     * @param scale how much is to be measured
     * @param host  tells what the machine has
     */
    default Duration estimate(Scale scale, Host host) {
        return scale.choose(Duration.ofSeconds(3), Duration.ofSeconds(50), Duration.ofMinutes(10));
    }

    /**
     * Prepares everything that its trials need, and finds the contestants that can take part.
     *
     * @param scale how much is to be measured
     * @param host  starts processes, and tells what the machine has
     * @return the trials; the caller closes it
     * @throws IOException if nothing of it can be measured
     */
    Preparation prepare(Scale scale, Host host) throws IOException;
}
