package dev.sluice.benchmarks;

import dev.sluice.benchmarks.run.Suite;
import java.util.List;

/** The suites whose results are published: all of them. */
public final class PublishedSuites {

    private PublishedSuites() {
    }

    public static List<Suite> all() {
        return Suites.ALL;
    }
}
