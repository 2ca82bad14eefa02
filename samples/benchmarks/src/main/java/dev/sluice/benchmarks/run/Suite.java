package dev.sluice.benchmarks.run;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Benchmarks that answer one question, and stand in one chapter of the report. */
public interface Suite {

    /** {@return what it is called on the command line: one word} */
    String name();

    /** {@return what it measures, in one line} */
    String summary();

    /**
     * {@return what a reader has to know about how it is measured: Markdown, one or more paragraphs}
     */
    String method();

    /** {@return the tables of its chapter, in their order} */
    List<Section> sections();

    /**
     * {@return about how long all of it takes, its preparation included; asked before anything is prepared}
     *
     * @param scale how much is to be measured
     * @param host  tells what the machine has
     */
    default Duration estimate(Scale scale, Host host) {
        return scale.choose(Duration.ofSeconds(3), Duration.ofSeconds(50), Duration.ofMinutes(10));
    }

    /**
     * Makes everything ready that all of its trials need, and finds out who can take part.
     *
     * @param scale how much is to be measured
     * @param host  starts processes, and tells what the machine has
     * @return what is to be measured; the caller closes it
     * @throws IOException if nothing of it can be measured
     */
    Preparation prepare(Scale scale, Host host) throws IOException;
}
