package dev.sluice.eventloop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.SmallJvm;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A process that is asked to end, in a JVM of its own. */
@EnabledOnOs({OS.LINUX, OS.MAC})
class TerminationTest {

    private static final int SIGINT = 2;

    @ParameterizedTest
    @CsvSource({
        "Reactor, TERM, 60000, [finish member]",
        "Proactor, TERM, 60000, [finish member]",
        "Reactor, INT, 60000, [finish member]",
        "Reactor, INT+INT, 3600000, '[end member, finish member]'",
        "ReactorGroup, TERM, 100, '[end member, end member, finish member, finish member]'",
        "ProactorGroup, TERM, 60000, '[finish member, finish member]'"})
    void loopsStopInOrderAtASignal(String loop, String signal, String deadline, String calls) throws Exception {
        assumeFalse(signal.startsWith("INT") && ignoresInterrupts(), "SIGINT is ignored here");
        List<Path> path = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(element -> !element.isEmpty()).map(Path::of).toList();
        List<String> said = SmallJvm.run(TerminatedProgram.class, path, "-Dsluice.native=" + Bindings.current().name(),
                "-Dterminated=" + String.join(",", loop, signal, deadline));
        assertEquals(List.of(calls, "closed"), said);
    }

    /** {@return whether the process was started with SIGINT ignored, as one in the background is, and its children} */
    private static boolean ignoresInterrupts() throws IOException {
        Path status = Path.of("/proc/self/status");
        if (Files.notExists(status)) {
            return false;
        }
        String ignored = Files.readAllLines(status).stream().filter(line -> line.startsWith("SigIgn:")).findFirst()
                .orElseThrow();
        return (Long.parseUnsignedLong(ignored.substring("SigIgn:".length()).strip(), 16) & 1 << SIGINT - 1) != 0;
    }
}
