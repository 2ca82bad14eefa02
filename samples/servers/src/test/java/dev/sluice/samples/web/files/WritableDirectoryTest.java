package dev.sluice.samples.web.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Platform;
import dev.sluice.handle.FaultInjection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Where a file may be put. */
class WritableDirectoryTest {

    @TempDir
    private Path root;

    private WritableDirectory inbox() throws Exception {
        Files.createDirectories(root.resolve("inbox"));
        return new WritableDirectory(new DocumentRoot(root), "/inbox");
    }

    /** As a reload makes a second one while the first is still in use. */
    @Test
    void ofOneDirectoryThereIsOneLock() throws Exception {
        assertSame(inbox().lock(), inbox().lock());
        assertNotSame(inbox().lock(), new WritableDirectory(new DocumentRoot(root), "/").lock());
    }

    @Test
    void namesOfFilesCanBeSoLong() throws Exception {
        String longest = "\u00e9".repeat(127) + "n";
        try (Upload upload = inbox().upload("/inbox/" + longest)) {
            assertEquals(root.toRealPath().resolve("inbox").resolve(longest), upload.target());
        }
        assertNull(inbox().upload("/inbox/" + longest + "n"));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void uploadOfWhichTheSystemWritesNothingFails() throws Exception {
        try (FaultInjection faults = FaultInjection.install(); Upload upload = inbox().upload("/inbox/new")) {
            upload.begin();
            faults.returnNth("pwrite", 1, 0);
            IOException failure = assertThrows(IOException.class, () -> upload.write(ByteBuffer.allocate(3)));
            assertTrue(failure.getMessage().contains("none of the last 3 bytes"), failure.getMessage());
        }
    }

    @Test
    void namesThatWindowsTakesForOthersAreNone() throws Exception {
        Files.createDirectories(root.resolve("inbox/sub"));
        WritableDirectory inbox = new WritableDirectory(new DocumentRoot(root, Platform.Os.WINDOWS), "/inbox");
        try (Upload upload = inbox.upload("/inbox/sub/x")) {
            assertNotNull(upload);
        }
        for (String name : List.of("nul", "x.", "x ", "a:b", "PROGRA~1")) {
            assertNull(inbox.upload("/inbox/" + name), name);
            assertNull(inbox.upload("/inbox/sub/" + name), name);
        }
        for (String name : List.of(".", "..", "a\\b", "a\nb", "")) {
            assertNull(inbox().upload("/inbox/" + name), name);
        }
    }

    /** Half of a character stands for what the locale cannot express. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void namesThatCannotBeExpressedAreNone() throws Exception {
        assertNull(inbox().upload("/inbox/\ud800"));
    }
}
