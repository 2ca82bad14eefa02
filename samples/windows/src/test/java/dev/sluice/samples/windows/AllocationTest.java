package dev.sluice.samples.windows;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.SmallJvm;
import dev.sluice.samples.SampleProcess;
import dev.sluice.testing.Depth;
import dev.sluice.windows.WindowsJvm;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A message that comes in and is sent back costs no garbage on Windows either, once C2 has compiled the code. */
@EnabledOnOs(OS.LINUX)
@Tag("windows")
@Tag(Depth.IN_MATRIX)
class AllocationTest {

    @ParameterizedTest
    @CsvSource({"dev.sluice.reactor.EchoingReactor, afd", "dev.sluice.reactor.EchoingReactor, wfmo",
        "dev.sluice.proactor.EchoingProactor, iocp"})
    void echoAllocatesNothing(String program, String demultiplexer) throws Exception {
        WindowsJvm jvm = WindowsJvm.ofVersion(25);
        Path directory = jvm.newDirectory();
        try (SampleProcess echo = SampleProcess.start(jvm.command(directory, List.of("-XX:+UseSerialGC", "-Xmx256m",
                "--enable-native-access=ALL-UNNAMED", "-Dsluice.native=ffm",
                "-Dsluice.demultiplexer=" + demultiplexer), WindowsJvm.classPathOfTests(), program))) {
            assertEquals(0, echo.awaitExit(), echo.errors()::text);
            String measured = echo.output().lines().stream().filter(line -> line.startsWith(SmallJvm.MARK)).findFirst()
                    .orElseThrow(() -> new AssertionError(echo.output().text()));
            double perMessage = Double.parseDouble(measured.substring(SmallJvm.MARK.length()));
            assertTrue(perMessage < 1, () -> perMessage + " bytes per message");
        } finally {
            WindowsJvm.delete(directory);
        }
    }
}
