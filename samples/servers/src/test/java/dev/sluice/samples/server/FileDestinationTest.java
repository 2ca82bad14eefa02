package dev.sluice.samples.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.handle.FaultInjection;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Tag(Depth.IN_QUICK)
class FileDestinationTest {

    private static void write(Path path, String lines) throws IOException {
        try (FileDestination destination = new FileDestination(path)) {
            destination.write(ByteBuffer.wrap(lines.getBytes()));
        }
    }

    @Test
    void linesComeToTheEnd(@TempDir Path directory) throws IOException {
        Path path = directory.resolve("log");
        write(path, "one\n");
        write(path, "two\n");
        assertEquals("one\ntwo\n", Files.readString(path));
    }

    /** Such as half of one, after which there was no room, or no power, any more. */
    @Test
    void aLineAfterACutOneIsALineOfItsOwn(@TempDir Path directory) throws IOException {
        Path path = Files.writeString(directory.resolve("log"), "one\ntw");
        write(path, "three\n");
        write(path, "four\n");
        assertEquals("one\ntw\nthree\nfour\n", Files.readString(path));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void linesOfWhichTheSystemWritesNothingAreLost(@TempDir Path directory) throws IOException {
        try (FaultInjection faults = FaultInjection.install();
                FileDestination destination = new FileDestination(directory.resolve("log"))) {
            faults.returnNth("write", 1, 0);
            IOException failure = assertThrows(IOException.class,
                    () -> destination.write(ByteBuffer.wrap("one\n".getBytes())));
            assertTrue(failure.getMessage().contains("none of the last 4 bytes"), failure.getMessage());
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void deviceWithoutADiskIsClosedLikeAFile() throws IOException {
        write(Path.of("/dev/null"), "nothing\n");
    }
}
