package dev.sluice.benchmarks;

import dev.sluice.benchmarks.run.Suite;
import java.util.List;
import java.util.Set;

/** The suites whose results are published: all but those that have not been measured at full length yet. */
public final class PublishedSuites {

    /** To be removed from here when their results are there. */
    static final Set<String> UNMEASURED = Set.of("lucene");

    private PublishedSuites() {
    }

    public static List<Suite> all() {
        return Suites.ALL.stream().filter(suite -> !UNMEASURED.contains(suite.name())).toList();
    }
}
