package dev.sluice.windows;

import dev.sluice.testing.Depth;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * The tests of the library in a JVM for Windows with the FFM binding: the ordinary build runs the core of the
 * contracts and their transfers, {@code -Pwindows} all that can run there.
 */
@EnabledOnOs(OS.LINUX)
@Tag("windows")
class FfmSuitesTest {

    @TestFactory
    Stream<DynamicTest> on25() throws IOException {
        return SuiteProcess.run(25, "ffm", "windows & (core | transfer) | on-windows", SuiteProcess.ALL);
    }

    @TestFactory
    @Tag(Depth.IN_MATRIX)
    Stream<DynamicTest> optimizedOn25() throws IOException {
        return SuiteProcess.runOptimized(25, "ffm");
    }
}
