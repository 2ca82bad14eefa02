package dev.sluice.handle;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.testing.Depth;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Files with direct access, which bypasses the system's cache. */
@Tag(Depth.BINDING)
@Tag(Depth.IN_QUICK)
class DirectFileTest extends LeakChecked {

    @TempDir
    Path directory;

    private Path path;
    private FileHandle file;
    private FileAlignment alignment;
    private int unit;

    @BeforeEach
    void open() throws Exception {
        path = directory.resolve("file");
        file = open(READ, WRITE, CREATE);
        alignment = file.directAlignment();
        unit = Math.max(alignment.write(), alignment.memory());
    }

    private FileHandle open(OpenOption... options) throws Exception {
        OpenOption[] direct = Arrays.copyOf(options, options.length + 1);
        direct[options.length] = FileOption.DIRECT;
        return own(FileHandle.open(path, direct));
    }

    @Test
    void alignedTransfersSucceed() throws Exception {
        ByteBuffer out = alignment.allocate(2 * unit);
        byte[] bytes = Bytes.random(2 * unit);
        assertEquals(2 * unit, file.write(out.put(bytes).flip(), unit));
        ByteBuffer in = alignment.allocate(4 * unit);
        assertEquals(3 * unit, file.read(in, 0));
        assertEquals(ByteBuffer.wrap(bytes), in.position(unit).limit(3 * unit));
        ByteBuffer[] parts = {alignment.allocate(unit), alignment.allocate(0), alignment.allocate(unit)};
        assertEquals(2 * unit, file.read(parts, 0, 3, unit));
        assertEquals(2 * unit, file.write(new ByteBuffer[] {parts[0].flip(), parts[2].flip()}, 0, 2, 3L * unit));
        assertEquals(FileHandle.END_OF_FILE, file.read(alignment.allocate(unit), 5L * unit));
        assertEquals(5L * unit, Files.size(path));
    }

    @Test
    void appendingNeedsAnAlignedLength() throws Exception {
        if (CalledSystem.isWindows()) {
            assertThrows(UnsupportedOperationException.class, () -> open(APPEND));
            return;
        }
        FileHandle appending = open(APPEND);
        assertEquals(unit, appending.write(alignment.allocate(unit), 1));
        assertEquals(unit, Files.size(path));
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class,
                () -> appending.write(alignment.allocate(unit + 1), 0));
        assertTrue(e.getMessage().startsWith("length: "), e.getMessage());
    }

    private void assertRefused(String what, Executable call) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, call);
        assertTrue(e.getMessage().startsWith(what), e.getMessage());
        assertTrue(e.getMessage().contains(file.toString()), e.getMessage());
    }

    @Test
    void unalignedTransfersNameTheArgument() throws Exception {
        ByteBuffer good = alignment.allocate(2 * unit);
        int write = alignment.write();
        int read = alignment.read();
        assertRefused("position: 1 is not a multiple of " + read, () -> file.read(good, 1));
        assertRefused("position: 1 is not a multiple of " + write, () -> file.write(good, 1));
        ByteBuffer odd = good.slice(0, unit + 1);
        assertRefused("length: " + (unit + 1) + " is not a multiple of " + read, () -> file.read(odd, 0));
        assertRefused("length: " + (unit + 1) + " is not a multiple of " + write, () -> file.write(odd, 0));
        assertRefused("length: ", () -> file.read(new ByteBuffer[] {good, odd}, 0, 2, 0));
        assertRefused("length: ", () -> file.write(new ByteBuffer[] {odd, good}, 0, 2, 0));
        assertRefused("memory: ", () -> file.read(ByteBuffer.allocate(unit), 0));
        assertRefused("memory: ", () -> file.write(ByteBuffer.allocate(unit), 0));
        if (alignment.memory() > 1) {
            ByteBuffer shifted = good.slice(1, unit);
            assertRefused("memory: ", () -> file.read(shifted, 0));
            assertRefused("memory: ", () -> file.write(new ByteBuffer[] {good, shifted}, 0, 2, 0));
        }
        assertEquals(0, good.position());
        assertEquals(0, file.size());
    }

    @Test
    void unalignedTransfersMakeNoSystemCall() throws Exception {
        try (FaultInjection faults = FaultInjection.install(); FileHandle faulty = FileHandle.open(path, READ, WRITE,
                FileOption.DIRECT)) {
            long calls = faults.calls();
            assertThrows(IllegalArgumentException.class, () -> faulty.read(ByteBuffer.allocate(unit), 0));
            assertThrows(IllegalArgumentException.class, () -> faulty.write(alignment.allocate(unit), 1));
            assertEquals(calls, faults.calls());
        }
    }

    @Test
    void allocatedBuffersAreAligned() {
        for (int size : new int[] {0, 1, 511, 512, 513, 4096, 100_000}) {
            for (FileAlignment each : new FileAlignment[] {alignment, new FileAlignment(1, 512, 1),
                new FileAlignment(4096, 4096, 512)}) {
                ByteBuffer buffer = each.allocate(size);
                assertTrue(buffer.isDirect());
                assertEquals(size, buffer.remaining());
                assertEquals(size, buffer.capacity());
                assertEquals(0, buffer.alignmentOffset(0, each.memory()));
            }
        }
        assertThrows(IllegalArgumentException.class, () -> alignment.allocate(-1));
        for (int wrong : new int[] {0, -1, 3, Integer.MIN_VALUE}) {
            assertThrows(IllegalArgumentException.class, () -> new FileAlignment(wrong, 1, 1));
            assertThrows(IllegalArgumentException.class, () -> new FileAlignment(1, wrong, 1));
            assertThrows(IllegalArgumentException.class, () -> new FileAlignment(1, 1, wrong));
        }
    }

    @Test
    void otherFilesHaveNoAlignment() throws Exception {
        FileHandle cached = own(FileHandle.open(path, READ, WRITE));
        assertThrows(IllegalStateException.class, cached::directAlignment);
        assertEquals(1, cached.write(Bytes.heap("x"), 1));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void failureNamesAFileSystemWithoutDirectAccess() throws Exception {
        SystemCallException e = assertThrows(SystemCallException.class,
                () -> FileHandle.open(Path.of("/proc/self/stat"), FileOption.DIRECT));
        assertEquals("open /proc/self/stat: EINVAL (invalid argument); the file system has no direct access, which"
                + " DIRECT asks for", e.getMessage());
        try (FaultInjection faults = FaultInjection.install()) {
            faults.failNth("statx", 1, Errno.EIO);
            assertEquals("statx", assertThrows(SystemCallException.class,
                    () -> FileHandle.open(path, FileOption.DIRECT)).call());
        }
    }
}
