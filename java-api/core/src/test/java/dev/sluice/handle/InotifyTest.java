package dev.sluice.handle;

import static dev.sluice.calls.layout.InotifyConstants.IN_ALL_EVENTS;
import static dev.sluice.calls.layout.InotifyConstants.IN_CREATE;
import static dev.sluice.calls.layout.InotifyConstants.IN_DELETE;
import static dev.sluice.calls.layout.InotifyConstants.IN_DELETE_SELF;
import static dev.sluice.calls.layout.InotifyConstants.IN_IGNORED;
import static dev.sluice.calls.layout.InotifyConstants.IN_ISDIR;
import static dev.sluice.calls.layout.InotifyConstants.IN_MODIFY;
import static dev.sluice.calls.layout.InotifyConstants.IN_MOVED_FROM;
import static dev.sluice.calls.layout.InotifyConstants.IN_MOVED_TO;
import static dev.sluice.calls.layout.InotifyConstants.IN_ONLYDIR;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.calls.Platform.Os;
import dev.sluice.calls.layout.InotifyConstants;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag(Depth.BINDING)
@Tag(Depth.IN_QUICK)
@EnabledOnOs(OS.LINUX)
class InotifyTest extends LeakChecked {

    @TempDir
    Path directory;

    private Inotify inotify;
    private InotifyBatch events;

    @BeforeEach
    void open() throws IOException {
        inotify = own(Inotify.open());
        events = own(new InotifyBatch(inotify, 1 << 16));
    }

    private void assertEvent(int index, int watch, int mask, String name) {
        assertEquals(watch, events.watch(index));
        assertEquals(mask, events.mask(index));
        assertEquals(name, events.name(index));
    }

    @Test
    void reportsEventsInTheirOrder() throws Exception {
        int watch = inotify.watch(directory, IN_CREATE | IN_MODIFY | IN_DELETE);
        assertEquals(0, events.receive());
        Files.createDirectory(directory.resolve("directory"));
        Path file = Files.createFile(directory.resolve("fifteen letters"));
        Files.writeString(file, "x");
        Files.delete(file);
        assertEquals(4, events.receive());
        assertEvent(0, watch, IN_CREATE | IN_ISDIR, "directory");
        assertEvent(1, watch, IN_CREATE, "fifteen letters");
        assertEvent(2, watch, IN_MODIFY, "fifteen letters");
        assertEvent(3, watch, IN_DELETE, "fifteen letters");
        assertEquals(0, events.cookie(3));
        assertEquals(0, events.receive());
        assertEquals(0, events.count());
        assertThrows(IndexOutOfBoundsException.class, () -> events.mask(0));
    }

    @Test
    void eventsOfARenamingHaveTheSameCookie() throws Exception {
        Path other = Files.createDirectory(directory.resolve("other"));
        int from = inotify.watch(directory, IN_MOVED_FROM | IN_MOVED_TO);
        int to = inotify.watch(other, IN_MOVED_FROM | IN_MOVED_TO);
        assertNotEquals(from, to);
        for (int i = 0; i < 2; i++) {
            Path file = Files.createFile(directory.resolve("file" + i));
            Files.move(file, other.resolve("moved"), StandardCopyOption.REPLACE_EXISTING);
        }
        assertEquals(4, events.receive());
        assertEvent(2, from, IN_MOVED_FROM, "file1");
        assertEvent(3, to, IN_MOVED_TO, "moved");
        assertNotEquals(0, events.cookie(2));
        assertEquals(events.cookie(2), events.cookie(3));
        assertNotEquals(events.cookie(1), events.cookie(2));
    }

    @Test
    void namesMayBeArbitraryBytes() throws Exception {
        inotify.watch(directory, IN_CREATE);
        assertEquals(0, new ProcessBuilder("sh", "-c", ": > \"$0/$(printf 'a\\377\\200')\"; : > \"$0/é\"",
                directory.toString()).inheritIO().start().waitFor());
        assertEquals(2, events.receive());
        byte[] name = {'a', -1, -128};
        assertArrayEquals(name, events.nameBytes(0));
        assertEquals("a\ufffd\ufffd", events.name(0));
        assertTrue(events.isNamed(0, name));
        assertFalse(events.isNamed(0, new byte[] {'a', -1, -127}));
        assertFalse(events.isNamed(0, new byte[] {'a', -1}));
        assertFalse(events.isNamed(0, new byte[] {'a', -1, -128, 0}));
        assertEquals("é", events.name(1));
    }

    @Test
    void longestNameFitsIntoTheSmallestBuffer() throws Exception {
        InotifyBatch small = own(new InotifyBatch(inotify, InotifyBatch.MIN_BUFFER_SIZE));
        inotify.watch(directory, IN_CREATE);
        String longest = "x".repeat(255);
        Files.createFile(directory.resolve(longest));
        Files.createFile(directory.resolve("y"));
        assertEquals(1, small.receive());
        assertEquals(longest, small.name(0));
        assertEquals(1, small.receive());
        assertEquals("y", small.name(0));
    }

    @Test
    void watchOfAFileReportsEventsWithoutName() throws Exception {
        Path file = Files.createFile(directory.resolve("file"));
        int watch = inotify.watch(file, IN_MODIFY | IN_DELETE_SELF);
        Files.writeString(file, "x");
        Files.delete(file);
        assertEquals(3, events.receive());
        assertEvent(0, watch, IN_MODIFY, "");
        assertTrue(events.isNamed(0, new byte[0]));
        assertEvent(1, watch, IN_DELETE_SELF, "");
        assertEquals(0, events.mask(1) & IN_IGNORED);
        assertEquals(IN_IGNORED, events.mask(2), "it has ended by itself");
        assertFalse(inotify.remove(watch));
    }

    @Test
    void removedWatchReportsIgnored() throws Exception {
        int watch = inotify.watch(directory, IN_CREATE);
        Files.createFile(directory.resolve("before"));
        assertTrue(inotify.remove(watch));
        assertFalse(inotify.remove(watch));
        Files.createFile(directory.resolve("after"));
        assertEquals(2, events.receive());
        assertEvent(0, watch, IN_CREATE, "before");
        assertEquals(IN_IGNORED, events.mask(1));
        assertEquals(watch, events.watch(1));
        assertNotEquals(watch, inotify.watch(directory, IN_CREATE), "numbers are not used again");
    }

    @Test
    void fileHasOneWatch() throws Exception {
        Path link = Files.createSymbolicLink(directory.resolve("link"), directory);
        int watch = inotify.watch(directory, IN_DELETE);
        assertEquals(watch, inotify.watch(link, IN_CREATE));
        Files.delete(link);
        Files.createFile(directory.resolve("file"));
        assertEquals(1, events.receive());
        assertEvent(0, watch, IN_CREATE, "file");
    }

    @Test
    void overflowOfTheQueueIsReported() throws Exception {
        // Files.readString would read a single byte first, after which the system returns no more of such a file.
        int limit = Integer.parseInt(Files.readAllLines(Path.of("/proc/sys/fs/inotify/max_queued_events")).get(0));
        Path file = Files.createFile(directory.resolve("file"));
        inotify.watch(directory, IN_MOVED_TO);
        for (int i = 0; i <= limit; i++) {
            file = Files.move(file, directory.resolve("file" + i));
        }
        int overflows = 0;
        int count = 0;
        while (events.receive() > 0) {
            for (int i = 0; i < events.count(); i++) {
                if (events.isOverflow(i)) {
                    overflows++;
                    assertEquals(-1, events.watch(i));
                    assertEquals("", events.name(i));
                }
            }
            count += events.count();
        }
        assertEquals(1, overflows);
        assertEquals(limit + 1, count);
    }

    @Test
    void refusals() throws Exception {
        Path none = directory.resolve("none");
        SystemCallException e = assertThrows(SystemCallException.class, () -> inotify.watch(none, IN_CREATE));
        assertEquals("inotify_add_watch " + none + ": ENOENT (no such file or directory)", e.getMessage());
        Path file = Files.createFile(directory.resolve("file"));
        e = assertThrows(SystemCallException.class, () -> inotify.watch(file, IN_ALL_EVENTS | IN_ONLYDIR));
        assertEquals("ENOTDIR", e.errorName());
        e = assertThrows(SystemCallException.class, () -> inotify.watch(file, 0));
        assertEquals("EINVAL", e.errorName());
        inotify.watch(file, IN_MODIFY);
        e = assertThrows(SystemCallException.class,
                () -> inotify.watch(file, IN_MODIFY | InotifyConstants.IN_MASK_CREATE));
        assertEquals("EEXIST", e.errorName());
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, 0, InotifyBatch.MIN_BUFFER_SIZE - 1, InotifyBatch.MAX_BUFFER_SIZE + 1})
    void rejectsBufferSizesOutOfRange(int bufferSize) {
        assertThrows(IllegalArgumentException.class, () -> new InotifyBatch(inotify, bufferSize));
    }

    @Test
    void useAfterTheClose() throws Exception {
        int watch = inotify.watch(directory, IN_CREATE);
        events.close();
        assertThrows(IllegalStateException.class, events::receive);
        InotifyBatch other = own(new InotifyBatch(inotify, 1024));
        inotify.close();
        inotify.close();
        assertThrows(HandleClosedException.class, other::receive);
        assertThrows(HandleClosedException.class, () -> inotify.watch(directory, IN_CREATE));
        assertThrows(HandleClosedException.class, () -> inotify.remove(watch));
    }

    @Test
    void failures() throws Exception {
        try (FaultInjection faults = FaultInjection.install()) {
            faults.failNth("inotify_init1", 1, Errno.EMFILE).failNth("inotify_init1", 2, Errno.ENOMEM);
            String message = assertThrows(SystemCallException.class, Inotify::open).getMessage();
            assertEquals("inotify_init1 inotify: EMFILE (too many open files in this process); or this user has "
                    + "reached fs.inotify.max_user_instances", message);
            assertThrows(SystemCallException.class, Inotify::open);
            Inotify other = own(Inotify.open());
            InotifyBatch batch = own(new InotifyBatch(other, 1024));
            faults.failNth("inotify_add_watch", 1, Errno.ENOSPC).failNth("inotify_rm_watch", 1, Errno.EBADF)
                    .failNth("read", 1, Errno.EINTR).failNth("read", 3, Errno.EIO);
            message = assertThrows(SystemCallException.class, () -> other.watch(directory, IN_CREATE)).getMessage();
            assertTrue(message.contains("ENOSPC") && message.contains("fs.inotify.max_user_watches"), message);
            assertThrows(SystemCallException.class, () -> other.remove(1));
            other.watch(directory, IN_CREATE);
            Files.createFile(directory.resolve("file"));
            assertEquals(1, batch.receive());
            assertEquals(2, faults.calls("read"), "an interrupted call is repeated");
            assertThrows(SystemCallException.class, batch::receive);
            assertEquals(0, batch.count());
        }
    }

    @ParameterizedTest
    @EnumSource(value = Os.class, names = {"MACOS", "FREEBSD", "OPENBSD"})
    void otherSystemsHaveNone(Os other) {
        try (OtherSystem system = OtherSystem.play(other)) {
            UnsupportedOperationException e = assertThrows(UnsupportedOperationException.class, Inotify::open);
            assertEquals("inotify needs Linux, and this is " + other.title()
                    + "; use java.nio.file.WatchService", e.getMessage());
        }
    }
}
