package dev.sluice.samples.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileProblemTest {

    @Test
    void saysWhatTheClassOfTheExceptionMeans(@TempDir Path directory) throws Exception {
        Path missing = directory.resolve("missing");
        assertEquals(missing + ": no such file or directory",
                FileProblem.describe(assertThrows(IOException.class, () -> Files.readString(missing))));
        Path file = Files.createFile(directory.resolve("file"));
        assertEquals(file + ": exists, and is not a directory",
                FileProblem.describe(assertThrows(IOException.class, () -> Files.createDirectories(file))));
        assertEquals("/etc/bank: permission denied",
                FileProblem.describe(new AccessDeniedException("/etc/bank")));
    }

    @Test
    void leavesMessagesAsTheyAre() {
        assertEquals("/x: Is a directory", FileProblem.describe(new FileSystemException("/x", null, "Is a directory")));
        assertEquals("the disk is full", FileProblem.describe(new IOException("the disk is full")));
        assertEquals("java.io.IOException", FileProblem.describe(new IOException()));
    }
}
