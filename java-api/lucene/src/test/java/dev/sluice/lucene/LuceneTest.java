package dev.sluice.lucene;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.testing.Depth;
import java.util.stream.Collectors;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.runner.JUnitCore;
import org.junit.runner.Result;

/** Lucene's own tests in their long form: with other seeds, and those of locks. */
class LuceneTest {

    /** Runs tests with a random seed, which the trace of a failure has; {@code -Dtests.seed} repeats it. */
    private static void run(Class<?> tests) {
        System.clearProperty("tests.seed");
        Result result = new JUnitCore().run(tests);
        assertTrue(result.getRunCount() > 0);
        assertEquals("", result.getFailures().stream().map(failure -> failure.getTestHeader() + ": "
                + failure.getTrace()).collect(Collectors.joining("\n")));
    }

    @RepeatedTest(10)
    @Tag(Depth.IN_MATRIX)
    void directoryPassesTheTestsOfLuceneWithFurtherSeeds() {
        run(LuceneDirectoryTest.class);
    }

    @Test
    @Tag(Depth.IN_MATRIX)
    void locksPassTheTestsOfLucene() {
        run(LuceneLocks.class);
    }
}
