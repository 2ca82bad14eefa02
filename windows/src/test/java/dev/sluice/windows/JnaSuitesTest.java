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
 * The tests of the library in JVMs for Windows with the JNA binding: the ordinary build runs the core of what a binding
 * can break, {@code -Pwindows} all that can run on the oldest Java, and on later ones the contracts of the mechanisms
 * and what a binding can break.
 */
@EnabledOnOs(OS.LINUX)
@Tag("windows")
class JnaSuitesTest {

    private static final String CORE = "windows & core & binding";
    private static final String CONTRACTS = SuiteProcess.ALL + " & (windows | on-windows | binding)";

    @TestFactory
    Stream<DynamicTest> on17() throws IOException {
        return SuiteProcess.run(17, "jna", CORE, SuiteProcess.ALL);
    }

    @TestFactory
    @Tag(Depth.IN_MATRIX)
    Stream<DynamicTest> on21() throws IOException {
        return SuiteProcess.run(21, "jna", CORE, CONTRACTS);
    }

    @TestFactory
    @Tag(Depth.IN_MATRIX)
    Stream<DynamicTest> on25() throws IOException {
        return SuiteProcess.run(25, "jna", CORE, CONTRACTS);
    }
}
