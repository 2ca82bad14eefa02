package dev.sluice.benchmarks;

import dev.sluice.benchmarks.call.CallSuite;
import dev.sluice.benchmarks.run.Suite;
import dev.sluice.benchmarks.waiting.WaitSuite;
import java.util.List;
import java.util.Optional;

/** All suites, in the order of the report. */
final class Suites {

    /** The whole list. */
    static final List<Suite> ALL = List.of(
            new CallSuite(),
            new WaitSuite());

    private Suites() {
    }

    /**
     * {@return the suite of a name, if there is one}
     *
     * @param name as on the command line
     */
    static Optional<Suite> named(String name) {
        return ALL.stream().filter(suite -> suite.name().equals(name)).findFirst();
    }
}
