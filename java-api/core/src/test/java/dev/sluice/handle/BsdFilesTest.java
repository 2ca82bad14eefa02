package dev.sluice.handle;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.calls.Errno;
import dev.sluice.calls.Platform.Os;
import dev.sluice.testing.Depth;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Space, cache, locks and names with the calls of macOS and the BSDs, as far as Linux has or can play them. */
@Tag(Depth.IN_QUICK)
@EnabledOnOs(OS.LINUX)
class BsdFilesTest extends LeakChecked {

    private static final int BLOCK = 4096;
    private static final int SIZE = 8 * BLOCK;

    @TempDir
    Path directory;

    private final byte[] content = Bytes.random(SIZE);

    private FileHandle open(String name) throws IOException {
        return own(FileHandle.open(directory.resolve(name), READ, WRITE, CREATE));
    }

    private FileHandle full(String name) throws IOException {
        FileHandle file = open(name);
        assertEquals(SIZE, file.write(ByteBuffer.wrap(content), 0));
        file.force();
        return file;
    }

    /** What is played takes blocks of this length, which the file system has to free. */
    private void assumeHoles() throws IOException {
        try (FileHandle file = FileHandle.open(directory.resolve("holes"), READ, WRITE, CREATE)) {
            file.allocate(0, 2 * BLOCK);
            file.punchHole(0, BLOCK);
            long kept = file.allocatedSize();
            assumeTrue(kept < 2 * BLOCK, () -> "blocks here are larger than " + BLOCK + " bytes");
        } catch (SystemCallException e) {
            assumeFalse(e.error() == Errno.EOPNOTSUPP, "the file system here reserves no space, or frees none");
            throw e;
        }
    }

    private byte[] bytes(String name) throws IOException {
        return Files.readAllBytes(directory.resolve(name));
    }

    private long allocated(String name) throws IOException {
        try (FileHandle real = FileHandle.open(directory.resolve(name))) {
            return real.allocatedSize();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MACOS", "FREEBSD"})
    void spaceIsReservedAndTheFileExtended(Os os) throws IOException {
        assumeHoles();
        try (OtherSystem played = OtherSystem.play(os)) {
            FileHandle file = open("file");
            file.write(Bytes.heap("content"), 0);
            for (long end : new long[] {BLOCK + 1, BLOCK + 2, 16 * BLOCK}) {
                file.allocate(BLOCK, end - BLOCK);
                assertEquals(end, file.size());
            }
            file.allocate(0, 1);
        }
        byte[] expected = Arrays.copyOf(Bytes.of("content"), 16 * BLOCK);
        assertArrayEquals(expected, bytes("file"));
        assertTrue(allocated("file") >= 16 * BLOCK);
    }

    @Test
    void nothingMoreIsReservedThanAsked() throws IOException {
        assumeHoles();
        try (OtherSystem played = OtherSystem.play(Os.MACOS)) {
            FileHandle file = open("file");
            for (int end = 100; end <= 2 * BLOCK; end += 100) {
                file.allocate(0, end);
            }
        }
        long reserved = allocated("file");
        assertTrue(reserved <= SIZE, () -> reserved + " bytes for " + 2 * BLOCK);
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 10", "1, 4096", "0, 4096", "4095, 2", "4095, 4098", "100, 20000", "8192, 8192", "0, 32768",
        "32767, 1", "30000, 9000000", "32768, 4096", "40000, 1", "0, 9223372036854775807"})
    void aHoleReadsAsZerosAndTheRestIsKept(long position, long length) throws IOException {
        assumeHoles();
        byte[] expected = content.clone();
        int end = (int) Math.min(SIZE, position + length < 0 ? SIZE : position + length);
        if (position < end) {
            Arrays.fill(expected, (int) position, end, (byte) 0);
        }
        for (Os os : List.of(Os.MACOS, Os.FREEBSD)) {
            String name = "of " + os;
            try (OtherSystem played = OtherSystem.play(os); FileHandle file = full(name)) {
                file.punchHole(position, length);
            }
            assertArrayEquals(expected, bytes(name), name);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MACOS", "FREEBSD"})
    void spaceIsFreed(Os os) throws IOException {
        assumeHoles();
        try (OtherSystem played = OtherSystem.play(os)) {
            full("file").punchHole(1, SIZE - 2);
        }
        long kept = allocated("file");
        assertTrue(kept < SIZE / 2, () -> kept + " bytes are allocated");
    }

    /** Zeros would be appended to it. */
    @Test
    void macosZeroesNoPartOfABlockOfAFileThatIsAppendedTo() throws IOException {
        assumeHoles();
        try (OtherSystem played = OtherSystem.play(Os.MACOS)) {
            full("file");
            FileHandle file = own(FileHandle.open(directory.resolve("file"), WRITE, APPEND));
            SystemCallException e = assertThrows(SystemCallException.class, () -> file.punchHole(BLOCK, BLOCK + 1));
            assertEquals(Errno.EOPNOTSUPP, e.error());
            assertArrayEquals(content, bytes("file"));
            file.punchHole(BLOCK, BLOCK);
        }
        Arrays.fill(content, BLOCK, 2 * BLOCK, (byte) 0);
        assertArrayEquals(content, bytes("file"));
    }

    @ParameterizedTest
    @EnumSource(names = {"MACOS", "FREEBSD"})
    void readingAheadEndsWithTheFile(Os os) throws IOException {
        try (OtherSystem played = OtherSystem.play(os)) {
            FileHandle file = full("file");
            file.prefetch(0, Long.MAX_VALUE);
            file.prefetch(SIZE - 1, 1);
            file.prefetch(SIZE, 1);
            file.prefetch(Long.MAX_VALUE - 1, 1);
            FileHandle empty = open("empty");
            empty.prefetch(0, 1);
        }
    }

    @Test
    void onlyFreeBsdDropsFromTheCache() throws IOException {
        try (OtherSystem played = OtherSystem.play(Os.FREEBSD)) {
            full("file").evict(0, Long.MAX_VALUE);
        }
        try (OtherSystem played = OtherSystem.play(Os.MACOS); FileHandle file = full("another")) {
            assertThrows(UnsupportedOperationException.class, () -> file.evict(0, 1));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MACOS", "FREEBSD", "OPENBSD"})
    void nothingIsWrittenBack(Os os) throws IOException {
        try (OtherSystem played = OtherSystem.play(os); FileHandle file = full("file")) {
            UnsupportedOperationException e =
                    assertThrows(UnsupportedOperationException.class, () -> file.writeBack(0, 1));
            assertTrue(e.getMessage().startsWith(os.title() + " has no call that "), e.getMessage());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MACOS", "FREEBSD", "OPENBSD"})
    void aPartIsCopied(Os os) throws IOException {
        try (OtherSystem played = OtherSystem.play(os)) {
            FileHandle file = full("file");
            FileHandle copy = open("copy");
            assertEquals(SIZE - 10, file.copyTo(10, Long.MAX_VALUE, copy, 5));
            assertEquals(0, file.copyTo(SIZE, 1, copy, 0));
        }
        assertEquals(ByteBuffer.wrap(content, 10, SIZE - 10), ByteBuffer.wrap(bytes("copy"), 5, SIZE - 10));
    }

    /** By flock(2), where the locks of ranges belong to the process. */
    @ParameterizedTest
    @EnumSource(names = {"MACOS", "FREEBSD", "OPENBSD"})
    void theWholeFileIsLockedForTheOpenFile(Os os) throws Exception {
        try (OtherSystem played = OtherSystem.play(os)) {
            FileHandle file = open("file");
            FileHandle other = open("file");
            Closeable lock = file.lock(0, Long.MAX_VALUE, false);
            assertNull(other.tryLock(0, Long.MAX_VALUE, false));
            assertNull(other.tryLock(0, Long.MAX_VALUE, true));
            // Unlike a lock of the process, it is not lost with another descriptor of the file.
            bytes("file");
            assertNull(other.tryLock(0, Long.MAX_VALUE, true));
            FutureTask<Closeable> waiting = new FutureTask<>(() -> other.lock(0, Long.MAX_VALUE, true));
            Thread thread = new Thread(waiting, "waits for a lock");
            thread.setDaemon(true);
            thread.start();
            lock.close();
            lock.close();
            try (Closeable shared = waiting.get(1, TimeUnit.MINUTES);
                    Closeable another = file.tryLock(0, Long.MAX_VALUE, true)) {
                assertNotNull(shared);
                assertNotNull(another);
                FileHandle third = open("file");
                assertNull(third.tryLock(0, Long.MAX_VALUE, false));
            }
            thread.join();
            Closeable last = file.tryLock(0, Long.MAX_VALUE, false);
            assertNotNull(last);
            file.close();
            own(other.lock(0, Long.MAX_VALUE, false));
            last.close();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"FREEBSD", "OPENBSD"})
    void aPartOfAFileIsNotLocked(Os os) throws IOException {
        try (OtherSystem played = OtherSystem.play(os)) {
            FileHandle file = open("file");
            for (Executable call : List.<Executable>of(() -> file.lock(0, 1, true).close(),
                    () -> assertNull(file.tryLock(1, Long.MAX_VALUE - 1, false)))) {
                UnsupportedOperationException e = assertThrows(UnsupportedOperationException.class, call);
                assertTrue(e.getMessage().contains("the whole file"), e.getMessage());
            }
            own(file.lock(0, Long.MAX_VALUE, true));
        }
    }

    @Test
    void macosLocksParts() throws IOException {
        try (OtherSystem played = OtherSystem.play(Os.MACOS)) {
            FileHandle file = open("file");
            FileHandle other = open("file");
            own(file.lock(10, 10, false));
            assertNull(other.tryLock(19, 1, true));
            Closeable next = other.tryLock(20, 1, true);
            assertNotNull(next);
            own(next);
        }
    }

    @Test
    void macosKeepsOrExchangesNames() throws IOException {
        Path one = Path.of("one");
        Path two = Path.of("two");
        Files.writeString(directory.resolve(one), "1");
        Files.writeString(directory.resolve(two), "2");
        try (OtherSystem played = OtherSystem.play(Os.MACOS); DirectoryHandle names = DirectoryHandle.open(directory)) {
            SystemCallException e =
                    assertThrows(SystemCallException.class, () -> names.renameUnlessExists(one, two));
            assertEquals(Errno.EEXIST, e.error());
            names.exchange(one, two);
            names.renameUnlessExists(two, Path.of("three"));
        }
        assertEquals("2", Files.readString(directory.resolve("one")));
        assertEquals("1", Files.readString(directory.resolve("three")));
    }
}
