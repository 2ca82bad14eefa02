package dev.sluice.benchmarks.file;

import java.util.List;

/**
 * A column of the tables of a question.
 *
 * @param name    the heading
 * @param figures of the question
 * @param job     the operations, without their file; of appends, only the depth counts
 * @param options of the virtual machine
 */
record Scenario(String name, Figures figures, Job job, List<String> options) {

    static Scenario of(String name, Figures figures, Job job) {
        return new Scenario(name, figures, job, List.of());
    }

    /** {@return the scenario of so many operations in flight, whose name begins with the number} */
    static Scenario inFlight(Figures figures, Job job) {
        return of(job.depth() + " in flight", figures, job);
    }
}
