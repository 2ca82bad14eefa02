package dev.sluice.handle;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.DELETE_ON_CLOSE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.calls.Errno;
import dev.sluice.calls.Platform.Os;
import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Options that remove the name, do not follow links and stay beneath a directory, and permissions. */
@Tag(Depth.BINDING)
@Tag(Depth.IN_QUICK)
class FileOpeningTest extends LeakChecked {

    @TempDir
    Path directory;

    private static void assertFails(Errno error, String advice, ThrowingOpen open) {
        SystemCallException e = assertThrows(SystemCallException.class, () -> open.run().close());
        assertEquals(error, e.error(), e.getMessage());
        assertTrue(e.getMessage().endsWith(advice), e.getMessage());
    }

    private interface ThrowingOpen {
        FileHandle run() throws IOException;
    }

    private void replace(Path path) {
        try {
            Files.move(Files.writeString(directory.resolve("replacement"), "other"), directory.resolve("moved"));
            Files.delete(path);
            Files.move(directory.resolve("moved"), path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void deleteOnCloseRemovesTheName() throws Exception {
        Path path = directory.resolve("file");
        try (FileHandle file = FileHandle.open(path, READ, WRITE, CREATE_NEW, DELETE_ON_CLOSE)) {
            assertEquals(CalledSystem.isWindows(), Files.exists(path));
            assertEquals(3, file.write(Bytes.heap("abc"), 0));
            assertEquals(3, file.read(ByteBuffer.allocate(4), 0));
        }
        assertFalse(Files.exists(path));
        Files.writeString(path, "content");
        try (FileHandle file = FileHandle.open(path, WRITE, CREATE, TRUNCATE_EXISTING, DELETE_ON_CLOSE)) {
            assertEquals(0, file.size());
        }
        assertFalse(Files.exists(path));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void deleteOnCloseKeepsAnotherFileWithTheName() throws Exception {
        Path path = Files.writeString(directory.resolve("file"), "content");
        try (FaultInjection faults = FaultInjection.install()) {
            faults.beforeNth("statx", 1, () -> replace(path));
            try (FileHandle file = FileHandle.open(path, READ, DELETE_ON_CLOSE)) {
                assertEquals(7, file.size());
            }
            assertEquals("other", Files.readString(path));
            faults.heal();
            faults.beforeNth("statx", faults.calls("statx") + 1, () -> {
                try {
                    Files.delete(path);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            try (FileHandle file = FileHandle.open(path, READ, DELETE_ON_CLOSE)) {
                assertEquals(5, file.size());
            }
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void deleteOnCloseFailsIfTheNameCannotBeRemoved() throws Exception {
        Path path = Files.writeString(directory.resolve("file"), "content");
        for (String call : List.of("unlinkat", "statx")) {
            try (FaultInjection faults = FaultInjection.install()) {
                faults.failNth(call, 1, Errno.EACCES);
                assertFails(Errno.EACCES, "", () -> FileHandle.open(path, DELETE_ON_CLOSE));
            }
        }
        assertTrue(Files.exists(path));
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void noFollowLinksRejectsLinks() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "content");
        Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of("file"));
        try (FileHandle followed = FileHandle.open(link)) {
            assertEquals(7, followed.size());
        }
        assertThrows(SystemCallException.class, () -> FileHandle.open(link, LinkOption.NOFOLLOW_LINKS));
        assertThrows(SystemCallException.class, () -> FileHandle.open(link, WRITE, TRUNCATE_EXISTING, DELETE_ON_CLOSE));
        assertTrue(Files.isSymbolicLink(link));
        assertEquals("content", Files.readString(file));
        own(FileHandle.open(file, LinkOption.NOFOLLOW_LINKS));
        own(FileHandle.open(directory.resolve("new"), WRITE, CREATE, LinkOption.NOFOLLOW_LINKS));
    }

    @Test
    void newFileHasThePermissions() throws Exception {
        Set<PosixFilePermission> permissions = PosixFilePermissions.fromString("rwxr-x--x");
        FileAttribute<?> attribute = PosixFilePermissions.asFileAttribute(permissions);
        Path path = directory.resolve("file");
        if (CalledSystem.isWindows()) {
            assertThrows(UnsupportedOperationException.class,
                    () -> FileHandle.open(path, Set.of(WRITE, CREATE), attribute));
            return;
        }
        own(FileHandle.open(path, Set.of(WRITE, CREATE), attribute));
        assertEquals(permissions, Files.getPosixFilePermissions(path));
        own(FileHandle.open(path, Set.of(WRITE, CREATE), PosixFilePermissions.asFileAttribute(Set.of())));
        assertEquals(permissions, Files.getPosixFilePermissions(path));
        DirectoryHandle open = own(DirectoryHandle.open(directory));
        Path other = Path.of("other");
        own(open.openFile(other, Set.of(WRITE, CREATE_NEW),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("r--------"))));
        assertEquals("r--------",
                PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve(other))));
    }

    /** To open the file once more would fail, because the first time has created it. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void anInterruptedRemovalOfTheNameIsRepeated() throws Exception {
        Path path = directory.resolve("file");
        try (FaultInjection faults = FaultInjection.install()) {
            faults.failNth("statx", 1, Errno.EINTR).failNth("statx", 3, Errno.EINTR)
                    .failNth("unlinkat", 1, Errno.EINTR);
            try (FileHandle file = FileHandle.open(path, WRITE, CREATE_NEW, DELETE_ON_CLOSE)) {
                assertEquals(0, file.size());
                assertFalse(Files.exists(path));
            }
            assertEquals(4, faults.calls("statx"));
            assertEquals(2, faults.calls("unlinkat"));
        }
    }

    @Test
    void rejectsOtherAttributes() {
        FileAttribute<String> strange = new FileAttribute<>() {
            @Override
            public String name() {
                return "user:colour";
            }

            @Override
            public String value() {
                return "red";
            }
        };
        Path path = directory.resolve("file");
        UnsupportedOperationException e = assertThrows(UnsupportedOperationException.class,
                () -> FileHandle.open(path, Set.of(WRITE, CREATE), strange));
        assertEquals("file attribute user:colour", e.getMessage());
        assertFalse(Files.exists(path));
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void opensAFileWithoutAName() throws Exception {
        FileHandle file = own(FileHandle.open(directory, READ, WRITE, FileOption.TMPFILE));
        assertEquals(3, file.write(Bytes.heap("abc"), 0));
        assertEquals(3, file.read(ByteBuffer.allocate(4), 0));
        DirectoryHandle open = own(DirectoryHandle.open(directory));
        assertEquals(0, own(open.openFile(Path.of("."), WRITE, FileOption.TMPFILE)).size());
        try (var names = Files.list(directory)) {
            assertEquals(0, names.count());
        }
        Path regular = Files.createFile(directory.resolve("file"));
        assertThrows(SystemCallException.class, () -> FileHandle.open(regular, WRITE, FileOption.TMPFILE));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void failureNamesAFileSystemWithoutUnnamedFiles() throws Exception {
        try (FaultInjection faults = FaultInjection.install()) {
            faults.failEach("open", Errno.EOPNOTSUPP);
            assertFails(Errno.EOPNOTSUPP, "; the file system has no files without a name, which TMPFILE asks for",
                    () -> FileHandle.open(directory, WRITE, FileOption.TMPFILE));
        }
        // No file can be created below /proc.
        assertThrows(SystemCallException.class,
                () -> FileHandle.open(Path.of("/proc"), WRITE, FileOption.TMPFILE));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void beneathRejectsPathsOutOfTheDirectory() throws Exception {
        Path inside = Files.createDirectories(directory.resolve("top/below"));
        Files.writeString(inside.resolve("file"), "content");
        Files.writeString(directory.resolve("secret"), "secret");
        Files.createSymbolicLink(inside.resolve("up"), Path.of(".."));
        Files.createSymbolicLink(inside.resolve("out"), Path.of("../.."));
        Files.createSymbolicLink(inside.resolve("absolute"), directory);
        DirectoryHandle top = own(DirectoryHandle.open(directory.resolve("top")));
        for (String path : List.of("below/file", "below/up/below/file", "below/../below/file")) {
            assertEquals(7, own(top.openFile(Path.of(path), READ, FileOption.BENEATH)).size());
        }
        for (String path : List.of("../secret", "below/out/secret", "below/absolute/secret", "below/../../secret")) {
            assertFails(Errno.EXDEV, "; the path leads out of the directory, which BENEATH forbids",
                    () -> top.openFile(Path.of(path), READ, FileOption.BENEATH));
        }
        assertThrows(SystemCallException.class, () -> top.openFile(Path.of("below/up"), READ, FileOption.BENEATH));
        own(top.openFile(Path.of("below/new"), WRITE, CREATE_NEW, FileOption.BENEATH));
        assertTrue(Files.exists(inside.resolve("new")));
        own(top.openFile(Path.of("below"), WRITE, FileOption.TMPFILE, FileOption.BENEATH));
        assertThrows(IllegalArgumentException.class,
                () -> FileHandle.open(inside.resolve("file"), FileOption.BENEATH));
        assertFails(Errno.EXDEV, "BENEATH forbids", () -> FileHandle.open(Path.of(".."), FileOption.BENEATH));
        own(FileHandle.open(Path.of("."), FileOption.BENEATH));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void failureNamesOldKernels() throws Exception {
        DirectoryHandle open = own(DirectoryHandle.open(Files.createFile(directory.resolve("file")).getParent()));
        try (FaultInjection faults = FaultInjection.install();
                DirectoryHandle faulty = DirectoryHandle.open(directory)) {
            faults.failEach("openat2", Errno.ENOSYS);
            assertFails(Errno.ENOSYS, "; BENEATH needs openat2, which Linux has since 5.6",
                    () -> faulty.openFile(Path.of("file"), FileOption.BENEATH));
            faults.heal();
            // A directory of the path is renamed concurrently.
            faults.failNth("openat2", faults.calls("openat2") + 1, Errno.EAGAIN);
            faulty.openFile(Path.of("file"), FileOption.BENEATH).close();
        }
        own(open.openFile(Path.of("file"), FileOption.BENEATH));
    }

    @Test
    void rejectsOptionsThatTheSystemLacks() {
        String[] lacks = {Os.OPENBSD + " DIRECT", Os.OPENBSD + " BENEATH", Os.MACOS + " BENEATH"};
        assumeTrue(!CalledSystem.isWindows(), "names the calls of Linux");
        for (String each : lacks) {
            String[] words = each.split(" ");
            try (OtherSystem played = OtherSystem.play(Os.valueOf(words[0]))) {
                UnsupportedOperationException e = assertThrows(UnsupportedOperationException.class,
                        () -> FileHandle.open(Path.of("file"), FileOption.valueOf(words[1])), each);
                assertTrue(e.getMessage().startsWith("open option " + words[1] + " is not supported on "),
                        e.getMessage());
            }
        }
    }

    /** {@return whether the device can be opened, which may be forbidden despite its permissions} */
    private static boolean opens(Path path) {
        try (FileChannel channel = FileChannel.open(path)) {
            return channel.isOpen();
        } catch (IOException e) {
            return false;
        }
    }

    /** The size of a block device is its end; that of its inode is 0. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void blockDeviceHasItsSize() throws Exception {
        boolean found = false;
        try (var devices = Files.newDirectoryStream(Path.of("/sys/block"))) {
            for (Path device : devices) {
                Path path = Path.of("/dev").resolve(device.getFileName());
                if (opens(path)) {
                    found = true;
                    try (FileHandle file = FileHandle.open(path)) {
                        long sectors = Long.parseLong(Files.readString(device.resolve("size")).strip());
                        assertEquals(sectors * 512, file.size(), path::toString);
                        assertTrue(file.status().isOther());
                    }
                }
            }
        }
        assumeTrue(found, "no block device here that may be read");
    }
}
