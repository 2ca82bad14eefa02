package dev.sluice.windows;

import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * The tests of the library, run in a JVM for Windows with each binding: a test here for each of their classes. The
 * ordinary build runs the core of the contracts, {@code -Pwindows} all tests that are tagged {@code windows}.
 */
@EnabledOnOs(OS.LINUX)
@Tag("windows")
class SuitesTest {

    private static final String LEFT_OUT = " & !not-windows & !stress & !campaign & !acceptance & !foreign & !packaged";

    @TestFactory
    Stream<DynamicTest> ffmOn25() throws IOException {
        return run(25, "ffm", "(windows & core | on-windows)");
    }

    @TestFactory
    Stream<DynamicTest> jnaOn17() throws IOException {
        return run(17, "jna", "windows & core & binding");
    }

    @TestFactory
    @Tag(Depth.IN_MATRIX)
    Stream<DynamicTest> jnaOn21() throws IOException {
        return run(21, "jna", "windows & core & binding");
    }

    @TestFactory
    @Tag(Depth.IN_MATRIX)
    Stream<DynamicTest> jnaOn25() throws IOException {
        return run(25, "jna", "windows & core & binding");
    }

    private static Stream<DynamicTest> run(int feature, String binding, String cut) throws IOException {
        WindowsJvm jvm = WindowsJvm.ofVersion(feature);
        String expression = Depth.current() == Depth.MATRIX ? "(windows | on-windows)" + LEFT_OUT
                : cut + LEFT_OUT + " & !matrix";
        Path directory = jvm.newDirectory();
        List<String> options = new ArrayList<>(List.of("-ea", "-Xmx512m", "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                // Threads that come and go would disturb the proof that nothing leaks.
                "-XX:-UseDynamicNumberOfCompilerThreads", "-Dsluice.native=" + binding,
                "-Dsluice.tests.depth=" + Depth.current().name().toLowerCase(Locale.ROOT),
                "-Dsluice.tests.run=sluice-windows " + binding + " on " + jvm.feature()));
        if (jvm.feature() >= 22) {
            options.add("--enable-native-access=ALL-UNNAMED");
        }
        String ledger = System.getProperty("sluice.tests.ledger", "");
        if (!ledger.isEmpty()) {
            options.add("-Dsluice.tests.ledger=" + jvm.windowsPath(Path.of(ledger)));
        }
        ProcessBuilder builder = jvm.command(directory, options, WindowsJvm.classPathOfTests(),
                SuiteRun.class.getName(), expression)
                .redirectError(Path.of("target", "windows-" + jvm.feature() + "-" + binding + ".log").toFile());
        return new SuiteProcess(builder, directory).tests();
    }
}
