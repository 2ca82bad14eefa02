package dev.sluice.demultiplexer.emulated;

import static dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer.FOREVER;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.LeakChecked;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Which call forces a file, and how its failures are reported. */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class EmulatedForceTest extends LeakChecked {

    private FaultInjection faults;
    private AsynchronousEventDemultiplexer emulation;
    private Completions completions;
    private FileHandle file;
    private Association where;
    private Operation force;

    @BeforeEach
    void open(@TempDir Path directory) throws IOException {
        faults = FaultInjection.install();
        emulation = OpenedDemultiplexers.openAsynchronous("poll");
        completions = emulation.newCompletions(1);
        file = FileHandle.open(Files.createFile(directory.resolve("file")), StandardOpenOption.WRITE);
        where = emulation.associate(file.handle());
        force = emulation.newOperation();
    }

    @AfterEach
    void close() {
        faults.close();
        emulation.close();
        completions.close();
        file.close();
    }

    private long result() throws IOException {
        assertEquals(1, emulation.awaitCompletions(completions, FOREVER));
        return completions.result(0);
    }

    @Test
    void eachWayMakesItsOwnCall() throws IOException {
        force.forceData(where);
        assertEquals(0, result());
        assertEquals(1, faults.calls("fdatasync"));
        assertEquals(0, faults.calls("fsync"));
        force.force(where);
        assertEquals(0, result());
        assertEquals(1, faults.calls("fdatasync"));
        assertEquals(1, faults.calls("fsync"));
    }

    @Test
    void anInterruptedOneIsRepeated() throws IOException {
        faults.failNth("fdatasync", 1, Errno.EINTR);
        force.forceData(where);
        assertEquals(0, result());
        assertEquals(2, faults.calls("fdatasync"));
    }

    /** The kernel may have dropped what it could not write, so another attempt would seem to succeed (fsync(2)). */
    @Test
    void oneThatFailsIsNotRepeated() throws IOException {
        faults.failNth("fdatasync", 1, Errno.EIO);
        force.forceData(where);
        long result = result();
        assertEquals("fdatasync " + file + ": EIO (input/output error)", force.error(result).getMessage());
        assertEquals(1, faults.calls("fdatasync"));
    }
}
