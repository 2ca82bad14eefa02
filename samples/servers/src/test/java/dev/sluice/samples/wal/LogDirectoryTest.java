package dev.sluice.samples.wal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.calls.Platform.Os;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.OtherSystem;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The lock of a log, its name, and the creation of its segments. */
@Timeout(120)
class LogDirectoryTest extends LeakChecked {

    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource(value = Os.class, names = {"MACOS", "FREEBSD", "OPENBSD"})
    @EnabledOnOs(OS.LINUX)
    void isLockedOnOtherSystems(Os os) throws IOException {
        try (OtherSystem played = OtherSystem.play(os); Closeable lock = new LogDirectory(directory).lock()) {
            IOException refusal = assertThrows(IOException.class, () -> new LogDirectory(directory).lock().close());
            assertEquals(directory + ": another process appends to this log", refusal.getMessage());
        }
    }

    /** A process that has created it may have been killed before it could make the name durable. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void nameOfADirectoryWithoutALogIsForced() throws IOException {
        try (FaultInjection faults = FaultInjection.install()) {
            new LogDirectory(directory).lock().close();
            assertEquals(1, faults.calls("fsync"));
            new LogDirectory(directory).lock().close();
            assertEquals(1, faults.calls("fsync"));
            new LogDirectory(directory.resolve("above").resolve("log")).lock().close();
            assertEquals(4, faults.calls("fsync"));
        }
    }

    /** As those of some virtual machines do. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void fileSystemThatForcesNoDirectoriesHasALog() throws IOException {
        LogDirectory log = new LogDirectory(directory);
        SegmentHeader header = new SegmentHeader(1, 1, WrittenLog.SEGMENT, WrittenLog.GROUP);
        try (FaultInjection faults = FaultInjection.install()) {
            // The first is that of the segment.
            faults.failNth("fsync", 2, Errno.EINVAL);
            log.create(header);
            assertEquals(2, faults.calls("fsync"));
            faults.failNth("fsync", 1, Errno.EINVAL);
            assertThrows(IOException.class, () -> log.create(header));
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void segmentOfWhichTheSystemWritesNothingFails() throws IOException {
        LogDirectory log = new LogDirectory(directory);
        SegmentHeader header = new SegmentHeader(1, 1, WrittenLog.SEGMENT, WrittenLog.GROUP);
        try (FaultInjection faults = FaultInjection.install()) {
            faults.returnNth("pwrite", 1, 0);
            IOException failure = assertThrows(IOException.class, () -> log.create(header));
            assertTrue(failure.getMessage().endsWith("none of the last " + WrittenLog.SEGMENT + " bytes"),
                    failure.getMessage());
        }
        assertEquals(List.of(), log.segments());
    }
}
