package dev.sluice.demultiplexer;

import static dev.sluice.demultiplexer.spi.EventType.READ;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.sluice.calls.layout.InotifyConstants;
import dev.sluice.demultiplexer.spi.Membership;
import dev.sluice.handle.Inotify;
import dev.sluice.handle.InotifyBatch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Handles that exist only on Linux. */
@EnabledOnOs(OS.LINUX)
@Tag(CalledSystem.NOT_WINDOWS)
abstract class LinuxHandleContract extends DemultiplexerContract {

    @TempDir
    Path directory;

    LinuxHandleContract(String name) {
        super(name);
    }

    @BeforeEach
    void assumeOfLinux() {
        assumeFalse(name().startsWith("kqueue"), "kqueue does not wait for handles of Linux");
    }

    @Test
    void inotifyIsReadyWhileThereAreEvents() throws Exception {
        Inotify inotify = own(Inotify.open());
        InotifyBatch events = own(new InotifyBatch(inotify, InotifyBatch.MIN_BUFFER_SIZE));
        inotify.watch(directory, InotifyConstants.IN_CREATE);
        Membership registration = register(inotify.handle(), READ);
        assertQuiet();
        for (String name : List.of("one", "another")) {
            Files.createFile(directory.resolve(name));
            assertReported(registration, READ);
            assertEquals(1, events.receive());
            assertEquals(name, events.name(0));
            registration.rearm();
            assertQuiet();
        }
    }

    @Test
    void changeDuringTheWaitEndsIt() throws Exception {
        Inotify inotify = own(Inotify.open());
        inotify.watch(directory, InotifyConstants.IN_CREATE);
        register(inotify.handle(), READ);
        Waiter waiter = waiter(PATIENCE.toNanos());
        Files.createFile(directory.resolve("file"));
        assertEquals(1, result(waiter.future()));
    }

    @Test
    void inotifyThatIsClosedWhileItIsRegisteredLeavesTheSet() throws Exception {
        Inotify inotify = own(Inotify.open());
        inotify.watch(directory, InotifyConstants.IN_CREATE);
        Membership registration = register(inotify.handle(), READ);
        Files.createFile(directory.resolve("file"));
        inotify.close();
        assertFalse(registration.isValid());
        assertQuiet();
    }
}
