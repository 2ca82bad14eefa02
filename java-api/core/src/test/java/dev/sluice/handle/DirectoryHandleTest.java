package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.layout.FileConstants;
import dev.sluice.handle.spi.Descriptors;
import dev.sluice.testing.Depth;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Names are looked up in the open directory, even if its path has come to denote something else. */
@Tag(Depth.BINDING)
@Tag(Depth.IN_QUICK)
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "cannot look up names in an open directory")
class DirectoryHandleTest extends LeakChecked {

    private static final Path FILE = Path.of("file");
    private static final Path LINK = Path.of("link");

    @TempDir
    Path parent;

    private Path moved;
    private DirectoryHandle directory;

    /** Replaces the open directory's path with a link to another directory. */
    @BeforeEach
    void swap() throws Exception {
        Path path = Files.createDirectory(parent.resolve("path"));
        directory = own(DirectoryHandle.open(path));
        moved = Files.move(path, parent.resolve("moved"));
        Files.createDirectory(parent.resolve("other"));
        Files.createSymbolicLink(path, Path.of("other"));
    }

    private static void assertFails(List<Errno> errors, Executable call) {
        SystemCallException e = assertThrows(SystemCallException.class, call);
        assertTrue(errors.contains(e.error()), e.getMessage());
    }

    private static void assertFails(Errno error, Executable call) {
        assertFails(List.of(error), call);
    }

    @Test
    void namesAreLookedUpInTheOpenDirectory() throws Exception {
        FileHandle file = own(directory.openFile(FILE, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW));
        file.write(Bytes.heap("four"), 0);
        assertEquals("four", Files.readString(moved.resolve("file")));
        directory.rename(FILE, Path.of("renamed"));
        assertEquals("four", Files.readString(moved.resolve("renamed")));
        own(directory.openFile(Path.of("."))).force();
        directory.delete(Path.of("renamed"));
        Files.createDirectory(moved.resolve("below"));
        own(own(directory.openDirectory(Path.of("below"))).openFile(FILE, StandardOpenOption.WRITE,
                StandardOpenOption.CREATE));
        assertTrue(Files.exists(moved.resolve("below/file")));
        try (var others = Files.list(parent.resolve("other"))) {
            assertEquals(0, others.count());
        }
    }

    @Test
    void symbolicLinksAreNotFollowed() throws Exception {
        Files.writeString(moved.resolve("file"), "x");
        Files.createSymbolicLink(moved.resolve("link"), FILE);
        Files.createSymbolicLink(moved.resolve("up"), Path.of("../other"));
        // FreeBSD has a special error.
        List<Errno> refusals = List.of(Errno.ELOOP, Errno.UNKNOWN);
        assertFails(refusals, () -> directory.openFile(LINK));
        assertFails(refusals, () -> directory.openFile(LINK, StandardOpenOption.WRITE, StandardOpenOption.CREATE));
        assertFails(List.of(Errno.ELOOP, Errno.ENOTDIR, Errno.UNKNOWN),
                () -> directory.openDirectory(Path.of("up")));
        assertTrue(directory.status(LINK).isSymbolicLink());
        assertEquals(FILE, directory.readLink(LINK));
        assertEquals(Path.of("../other"), directory.readLink(Path.of("up")));
        assertFails(Errno.EINVAL, () -> directory.readLink(FILE));
        directory.delete(LINK);
        assertTrue(Files.exists(moved.resolve("file")));
    }

    @Test
    void listsAvailableMechanisms() throws Exception {
        Instant time = Instant.ofEpochSecond(1_234_567_890L, 123_456_789);
        Path file = Files.writeString(moved.resolve("file"), "12345");
        Files.setLastModifiedTime(file, FileTime.from(time));
        PosixFileAttributes expected = Files.readAttributes(file, PosixFileAttributes.class);
        assertSame(expected, file, directory.status(FILE));
        FileHandle open = own(directory.openFile(FILE));
        Files.delete(file);
        assertSame(expected, null, open.status());
        assertEquals(0, open.links());
        assertTrue(open.status().isRegularFile());
        assertTrue(own(directory.openFile(Path.of("."))).status().isDirectory());
        assertFails(Errno.ENOENT, () -> directory.status(FILE));
        Instant past = Instant.ofEpochSecond(-2);
        Files.setLastModifiedTime(Files.createFile(file), FileTime.from(past));
        assertEquals(FileTime.from(past), directory.status(FILE).lastModifiedTime());
    }

    private static void assertSame(PosixFileAttributes expected, Path file, PosixFileAttributes status)
            throws Exception {
        assertEquals(expected.size(), status.size());
        assertEquals(expected.lastModifiedTime(), status.lastModifiedTime());
        assertEquals(expected.lastAccessTime(), status.lastAccessTime());
        assertEquals(expected.permissions(), status.permissions());
        assertEquals(expected.owner(), status.owner());
        assertEquals(expected.group(), status.group());
        assertTrue(status.isRegularFile());
        if (file != null) {
            assertEquals(Files.getAttribute(file, "unix:ino"), status.fileKey());
        }
    }

    @Test
    void namesAreGivenAndTaken() throws Exception {
        Path one = Path.of("one");
        Path two = Path.of("two");
        Files.writeString(moved.resolve(one), "1");
        directory.link(one, two);
        assertEquals(2, own(directory.openFile(two)).links());
        assertFails(Errno.EEXIST, () -> directory.link(one, two));
        directory.createDirectory(Path.of("below"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        assertEquals("rwx------", PosixFilePermissions.toString(directory.status(Path.of("below")).permissions()));
        assertFails(Errno.EEXIST, () -> directory.createDirectory(Path.of("below")));
        DirectoryHandle below = own(directory.openDirectory(Path.of("below")));
        directory.rename(two, below, one);
        assertEquals("1", Files.readString(moved.resolve("below/one")));
        assertFails(List.of(Errno.ENOTEMPTY, Errno.EEXIST), () -> directory.deleteDirectory(Path.of("below")));
        below.delete(one);
        below.force();
        directory.deleteDirectory(Path.of("below"));
        directory.force();
        assertFails(Errno.ENOTDIR, () -> directory.deleteDirectory(one));
        assertFails(Errno.ENOENT, () -> directory.deleteDirectory(Path.of("below")));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void namesAreKeptOrExchanged() throws Exception {
        Path one = Path.of("one");
        Path two = Path.of("two");
        Files.writeString(moved.resolve(one), "1");
        Files.createDirectory(moved.resolve(two));
        assertFails(Errno.EEXIST, () -> directory.renameUnlessExists(one, two));
        directory.exchange(one, two);
        assertEquals("1", Files.readString(moved.resolve(two)));
        assertTrue(directory.status(one).isDirectory());
        directory.renameUnlessExists(two, Path.of("three"));
        assertEquals("1", Files.readString(moved.resolve("three")));
        assertFails(Errno.ENOENT, () -> directory.exchange(one, two));
    }

    @Test
    void openFileDoesNotWaitForAFifo() throws Exception {
        assertEquals(0, new ProcessBuilder("mkfifo", moved.resolve("file").toString()).start().waitFor());
        assertTrue(own(directory.openFile(FILE)).status().isOther());
    }

    @Test
    void openedFileHasNoNonBlockingFlag() throws Exception {
        Files.writeString(moved.resolve("file"), "x");
        FileHandle file = own(directory.openFile(FILE, StandardOpenOption.APPEND));
        long fd = Descriptors.of(file.handle()).acquire();
        try {
            int flags = Bindings.current().posix().fcntl((int) fd, FileConstants.F_GETFL, 0);
            assertEquals(FileConstants.O_APPEND, flags & (FileConstants.O_APPEND | FileConstants.O_NONBLOCK));
        } finally {
            Descriptors.of(file.handle()).release();
        }
        file.write(ByteBuffer.wrap(new byte[] {'y'}), 0);
        assertEquals("xy", Files.readString(moved.resolve("file")));
    }

    /** The superuser may read every directory. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void opensADirectoryWithoutReadPermission() throws Exception {
        Files.writeString(moved.resolve("file"), "x");
        assertTrue(moved.toFile().setReadable(false, false));
        DirectoryHandle again = own(DirectoryHandle.open(moved));
        own(again.openFile(FILE));
        assertTrue(moved.toFile().setReadable(true, true));
    }

    @Test
    void onlySingleNamesAreAccepted() {
        for (Path path : List.of(Path.of(""), Path.of("."), Path.of(".."), Path.of("a/b"), moved, Path.of("/"))) {
            assertThrows(IllegalArgumentException.class, () -> directory.openDirectory(path), path::toString);
            assertThrows(IllegalArgumentException.class, () -> directory.status(path), path::toString);
            assertThrows(IllegalArgumentException.class, () -> directory.delete(path), path::toString);
            assertThrows(IllegalArgumentException.class, () -> directory.rename(FILE, path), path::toString);
            assertThrows(IllegalArgumentException.class, () -> directory.readLink(path), path::toString);
        }
        assertThrows(IllegalArgumentException.class, () -> directory.openFile(Path.of("..")));
        assertThrows(ProviderMismatchException.class,
                () -> DirectoryHandle.open(Path.of(URI.create("jrt:/java.base"))));
    }

    @Test
    void failuresNameTheCallAndThePath() {
        SystemCallException e = assertThrows(SystemCallException.class, () -> directory.openFile(FILE));
        assertEquals("openat", e.call());
        assertEquals(parent.resolve("path/file").toString(), e.subject());
        assertEquals("ENOENT", e.errorName());
        assertFails(Errno.ENOENT, () -> DirectoryHandle.open(parent.resolve("none")));
        assertFails(Errno.ENOTDIR, () -> DirectoryHandle.open(Files.createFile(parent.resolve("plain"))));
        directory.close();
        assertThrows(HandleClosedException.class, () -> directory.status(FILE));
        assertFalse(directory.handle().isOpen());
    }
}
