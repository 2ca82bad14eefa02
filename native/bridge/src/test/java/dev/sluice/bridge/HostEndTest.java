package dev.sluice.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.sun.jna.Native;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.CodeLocation;
import dev.sluice.calls.SmallJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
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

    private List<String> run(String end) throws Exception {
        List<Path> classPath = Stream.of(HostUser.class, Win32Host.class, Bindings.class, SmallJvm.class, Native.class,
                LoggerFactory.class, SimpleLogger.class).map(CodeLocation::of).toList();
        return SmallJvm.run(HostUser.class, classPath, "--enable-native-access=ALL-UNNAMED", "-Dsluice.native=wine",
                "-Djava.io.tmpdir=" + temporary, "-D" + HostUser.END + "=" + end);
    }

    @Test
    void orderlyEndLeavesNothing() throws Exception {
        long host = Long.parseLong(run(HostUser.ORDINARY).get(0));
        assertFalse(ProcessHandle.of(host).isPresent(), "the host is still there");
        assertEquals(List.of(), directories());
    }

    @Test
    void hostThatIsKilledFailsTheCallThatWaitsAndEveryOther() throws Exception {
        List<String> said = run(HostUser.AFTER_HOST);
        String end = ": the Win32 host has ended, exit code 137, standard error: ''";
        assertEquals(List.of("WaitForMultipleObjects" + end, "closesocket" + end), said.subList(1, said.size()));
        assertEquals(List.of(), directories());
    }

    @Test
    void processThatIsKilledTakesItsHostWithIt() throws Exception {
        Optional<ProcessHandle> host = ProcessHandle.of(Long.parseLong(run(HostUser.HALTED).get(0)));
        if (host.isPresent()) {
            host.get().onExit().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
        assertEquals(1, directories().size(), "nobody was left to remove it");
        run(HostUser.ORDINARY);
        assertEquals(List.of(), directories(), "the next one does");
    }

    private List<Path> directories() throws IOException {
        try (Stream<Path> files = Files.list(temporary)) {
            return files.filter(file -> file.getFileName().toString().startsWith("sluice")).toList();
        }
    }
}
