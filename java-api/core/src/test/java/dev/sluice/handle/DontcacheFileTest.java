package dev.sluice.handle;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.calls.Errno;
import dev.sluice.testing.Depth;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Files whose transfers leave nothing in the system's cache. */
@Tag(Depth.BINDING)
@Tag(Depth.IN_QUICK)
class DontcacheFileTest extends LeakChecked {

    private static final int SIZE = 200_000;

    @TempDir
    Path directory;

    private final byte[] content = Bytes.random(SIZE);
    private Path path;
    private FileHandle plain;

    @BeforeEach
    void open() throws Exception {
        path = directory.resolve("file");
        plain = own(FileHandle.open(path, READ, WRITE, CREATE));
    }

    private FileHandle open(OpenOption... options) throws Exception {
        assumeTrue(plain.supportsDontcache(), "no such files here");
        OpenOption[] all = Arrays.copyOf(options, options.length + 1);
        all[options.length] = FileOption.DONTCACHE;
        return own(FileHandle.open(path, all));
    }

    @ParameterizedTest
    @EnumSource(names = "READ_ONLY.*", mode = EnumSource.Mode.MATCH_NONE)
    @EnabledOnOs(OS.LINUX)
    void movesAnyKindOfBuffer(BufferKind kind) throws Exception {
        FileHandle file = open(READ, WRITE);
        assertEquals(100, file.write(kind.of(Arrays.copyOf(content, 100)), 7));
        assertEquals(20, file.write(new ByteBuffer[] {kind.of(Arrays.copyOfRange(content, 100, 110)),
            kind.of(Arrays.copyOfRange(content, 110, 120))}, 0, 2, 107));
        ByteBuffer in = kind.empty(130);
        assertEquals(120, file.read(in, 7));
        Bytes.assertBytes(Arrays.copyOf(content, 120), kind.received(in));
        ByteBuffer[] parts = {kind.empty(100), kind.empty(50)};
        assertEquals(120, file.read(parts, 0, 2, 7));
        Bytes.assertBytes(Arrays.copyOfRange(content, 100, 120), kind.received(parts[1]));
        for (long position : new long[] {127, Long.MAX_VALUE - 1}) {
            assertEquals(FileHandle.END_OF_FILE, file.read(kind.empty(10), position));
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void leavesNothingInTheCache() throws Exception {
        FileHandle file = open(READ, WRITE);
        assumeTrue(!Errno.EOPNOTSUPP.is(CachedPages.read(plain, 0)), "no such files here");
        assertTrue(CachedPages.areDropped(plain, 0, () -> assertEquals(SIZE, file.write(Bytes.direct(content), 0))),
                "written bytes stay in the cache");
        ByteBuffer in = ByteBuffer.allocateDirect(SIZE);
        assertTrue(CachedPages.areDropped(plain, SIZE / 2, () -> assertEquals(SIZE, file.read(in.clear(), 0))),
                "bytes that were read stay in the cache");
        assertEquals(ByteBuffer.wrap(content), in.flip());
        assertEquals(1, plain.read(ByteBuffer.allocateDirect(1), SIZE / 2));
        assertEquals(1, CachedPages.read(plain, SIZE / 2));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void appends() throws Exception {
        Files.writeString(path, "one");
        FileHandle file = open(APPEND);
        assertEquals(4, file.write(Bytes.heap("+two"), 0));
        assertEquals(6, file.write(new ByteBuffer[] {Bytes.heap("+"), Bytes.heap("three")}, 0, 2, 1));
        assertEquals("one+two+three", Files.readString(path));
        // The question writes nothing.
        assertTrue(file.supportsDontcache());
        assertTrue(own(FileHandle.open(path, WRITE)).supportsDontcache());
        assertEquals("one+two+three", Files.readString(path));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void failureNamesAFileSystemWithoutIt() throws Exception {
        Path generated = Path.of("/proc/self/stat");
        assertFalse(own(FileHandle.open(generated)).supportsDontcache());
        SystemCallException e = assertThrows(SystemCallException.class,
                () -> FileHandle.open(generated, FileOption.DONTCACHE));
        assertEquals("open /proc/self/stat: EOPNOTSUPP (" + Errno.EOPNOTSUPP.text() + "); the kernel or the file system"
                + " has no transfers that leave nothing in the cache, which DONTCACHE asks for", e.getMessage());
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void olderKernelsRefuseIt() throws Exception {
        try (FaultInjection kernel = FaultInjection.install()) {
            kernel.failEach("preadv2", Errno.EOPNOTSUPP).failEach("pwritev2", Errno.EOPNOTSUPP);
            assertEquals(Errno.EOPNOTSUPP, assertThrows(SystemCallException.class,
                    () -> FileHandle.open(path, WRITE, FileOption.DONTCACHE)).error());
            try (FileHandle same = FileHandle.open(path)) {
                assertFalse(same.supportsDontcache());
            }
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void excludesDirectAccess() {
        assertThrows(IllegalArgumentException.class,
                () -> FileHandle.open(path, FileOption.DONTCACHE, FileOption.DIRECT));
    }

    @Test
    @DisabledOnOs(value = OS.LINUX, disabledReason = "this system has the option")
    void otherSystemsDoNotHaveIt() throws Exception {
        assertFalse(plain.supportsDontcache());
        assertThrows(UnsupportedOperationException.class, () -> FileHandle.open(path, FileOption.DONTCACHE));
    }
}
