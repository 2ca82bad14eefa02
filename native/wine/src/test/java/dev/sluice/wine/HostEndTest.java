package dev.sluice.wine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.jna.Native;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.CodeLocation;
import dev.sluice.calls.SmallJvm;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.slf4j.simple.SimpleLogger;

/** How the host ends, and what is left of it: each in a process of its own. */
@Tag("windows")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostEndTest {

    private static final long PATIENCE_SECONDS = 60;

    @TempDir
    Path temporary;

    private List<String> run(String end, String... options) throws Exception {
        List<Path> classPath = Stream.of(HostUser.class, Win32Host.class, Bindings.class, SmallJvm.class, Native.class,
                LoggerFactory.class, SimpleLogger.class).map(CodeLocation::of).toList();
        List<String> all = new ArrayList<>(List.of(options));
        all.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-Dsluice.native=wine",
                "-Djava.io.tmpdir=" + temporary, "-D" + HostUser.END + "=" + end));
        return SmallJvm.run(HostUser.class, classPath, all.toArray(String[]::new));
    }

    @Tag(Depth.IN_MATRIX)
    @Test
    void hostServesUntilTheLastShutdownHook() throws Exception {
        List<String> said = run(HostUser.BY_HOOK);
        assertEquals(List.of("called"), said.subList(1, said.size()));
        awaitNothingLeft(said);
    }

    @Tag(Depth.IN_MATRIX)
    @Test
    void orderlyEndLeavesNothing() throws Exception {
        awaitNothingLeft(run(HostUser.ORDINARY));
    }

    @Test
    void processThatIsKilledLeavesNothing() throws Exception {
        awaitNothingLeft(run(HostUser.HALTED));
    }

    @Test
    void hostThatIsKilledFailsTheCallThatWaitsAndEveryOther() throws Exception {
        List<String> said = run(HostUser.AFTER_HOST);
        String end = ": the Win32 host has ended, exit code 137";
        assertEquals(List.of("WaitForMultipleObjects" + end, "closesocket" + end), said.subList(1, said.size()));
        awaitNothingLeft(said);
    }

    @Tag(Depth.IN_MATRIX)
    @Test
    void hostThatCrashesFailsTheCallThatCrashedIt() throws Exception {
        List<String> said = run(HostUser.AFTER_CRASH);
        assertTrue(said.get(1).startsWith("AcceptEx: the Win32 host has ended, exit code "), said.get(1));
        assertTrue(said.get(2).startsWith("closesocket: the Win32 host has ended, exit code "), said.get(2));
        awaitNothingLeft(said);
    }

    @Tag(Depth.IN_MATRIX)
    @Test
    void hostThatHangsFailsTheCallThatCannotBlockAndEveryLater() throws Exception {
        List<String> said = run(HostUser.AFTER_STOP, "-D" + Win32Host.ANSWER_SECONDS + "=1");
        String end = ": the Win32 host has not answered for 1 s";
        assertEquals(List.of("listen" + end, "closesocket" + end), said.subList(1, said.size()));
        awaitNothingLeft(said);
    }

    private void awaitNothingLeft(List<String> said) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (runs(said.get(0)) || !directories().isEmpty()) {
            assertTrue(System.nanoTime() < end, () -> "the host or its directory is still there: " + said.get(0));
            Thread.sleep(10);
        }
    }

    // A process that has ended keeps its number until its parent, here the system's first process, asks for its end.
    private static boolean runs(String pid) throws IOException {
        try {
            String status = Files.readString(Path.of("/proc", pid, "stat"));
            return status.charAt(status.lastIndexOf(')') + 2) != 'Z';
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private List<Path> directories() throws IOException {
        try (Stream<Path> files = Files.list(temporary)) {
            return files.filter(file -> file.getFileName().toString().startsWith("sluice")).toList();
        }
    }
}
