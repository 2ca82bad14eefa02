package dev.sluice.benchmarks;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.Scale;
import dev.sluice.benchmarks.run.Suite;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How long the suites say that they take is what the command line promises. */
class SuitesTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration ABOUT_TWENTY_MINUTES = Duration.ofMinutes(20);

    @TempDir
    private Path directory;

    static List<Named<Suite>> isQuickWithinAMinute() {
        return Suites.ALL.stream().map(suite -> Named.of(suite.name(), suite)).toList();
    }

    private Duration quick(Suite suite) {
        return suite.estimate(Scale.QUICK, new Host(directory));
    }

    @ParameterizedTest
    @MethodSource
    void isQuickWithinAMinute(Suite suite) {
        Duration estimate = quick(suite);
        assertTrue(estimate.compareTo(MINUTE) <= 0, estimate::toString);
    }

    @Test
    void allOfThemAreQuickWithinTwentyMinutes() {
        Duration all = Suites.ALL.stream().map(this::quick).reduce(Duration.ZERO, Duration::plus);
        assertTrue(all.compareTo(ABOUT_TWENTY_MINUTES) <= 0, all::toString);
    }
}
