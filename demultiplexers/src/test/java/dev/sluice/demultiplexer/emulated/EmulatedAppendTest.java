package dev.sluice.demultiplexer.emulated;

import static dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer.FOREVER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.FileHandle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Appending is no matter of the position, which other systems and C libraries than these write to. */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class EmulatedAppendTest {

    @Test
    void appendDoesNotRelyOnPositionedWrites(@TempDir Path directory) throws IOException {
        Path path = Files.writeString(directory.resolve("file"), "content");
        try (FaultInjection faults = FaultInjection.install();
                AsynchronousEventDemultiplexer emulation = OpenedDemultiplexers.openAsynchronous("poll");
                Completions completions = emulation.newCompletions(1)) {
            faults.failEach("pwrite", Errno.EOPNOTSUPP).failEach("pwritev", Errno.EOPNOTSUPP);
            Operation open = emulation.newOperation();
            open.open(path, StandardOpenOption.APPEND);
            assertEquals(1, emulation.awaitCompletions(completions, FOREVER));
            try (FileHandle file = completions.get(0).file()) {
                Association association = emulation.associate(file.handle());
                Operation write = emulation.newOperation();
                write.write(association, bytes("+1"), 0);
                assertCompleted(2, write, emulation, completions);
                write.write(association, new ByteBuffer[] {bytes("+"), bytes("2")}, 0, 2, 3);
                assertCompleted(2, write, emulation, completions);
            }
        }
        assertEquals("content+1+2", Files.readString(path));
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.allocateDirect(text.length()).put(text.getBytes()).flip();
    }

    private static void assertCompleted(long result, Operation operation, AsynchronousEventDemultiplexer emulation,
                                        Completions completions) throws IOException {
        assertEquals(1, emulation.awaitCompletions(completions, FOREVER));
        assertSame(operation, completions.operation(0));
        assertEquals(result, completions.result(0));
    }
}
