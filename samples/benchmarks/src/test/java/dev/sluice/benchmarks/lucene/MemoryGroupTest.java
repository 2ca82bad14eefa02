package dev.sluice.benchmarks.lucene;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Control groups, where this process may make some. */
class MemoryGroupTest {

    private static final long LIMIT = 64 << 20;

    private MemoryGroup group;

    @BeforeEach
    void find() {
        try {
            group = MemoryGroup.find();
        } catch (IOException e) {
            abort("no control group for memory may be made here: " + e.getMessage());
        }
    }

    private Path directory() {
        return Path.of(group.processes()).getParent();
    }

    private long limit() throws IOException {
        Path first = directory().resolve("memory.limit_in_bytes");
        return Long.parseLong(Files.readString(Files.exists(first) ? first : directory().resolve("memory.max"))
                .strip());
    }

    @Test
    void aGroupLimitsAProcessAndIsRemovedAfterItsEnd() throws Exception {
        assertFalse(Files.exists(directory()));
        for (int times = 0; times < 2; times++) {
            group.open(LIMIT);
            try (MemoryGroup open = group) {
                assertEquals(LIMIT, limit());
                Process process = new ProcessBuilder("cat").start();
                Files.writeString(Path.of(open.processes()), Long.toString(process.pid()));
                assertEquals(Long.toString(process.pid()), Files.readString(Path.of(group.processes())).strip());
                process.getOutputStream().close();
                assertEquals(0, process.waitFor());
            }
            assertFalse(Files.exists(directory()));
        }
    }

    @Test
    void aGroupIsRemovedByAThreadThatIsInterrupted() throws IOException {
        group.open(LIMIT);
        Thread.currentThread().interrupt();
        group.close();
        assertTrue(Thread.interrupted());
        assertFalse(Files.exists(directory()));
    }

    @Test
    void groupsOfProcessesThatHaveEndedAreRemoved() throws Exception {
        Process process = new ProcessBuilder("true").start();
        process.waitFor();
        Path old = Files.createDirectory(directory().resolveSibling("sluice-bench-" + process.pid()));
        MemoryGroup.find();
        assertFalse(Files.exists(old));
    }
}
