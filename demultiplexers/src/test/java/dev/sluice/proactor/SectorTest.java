package dev.sluice.proactor;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.handle.Bytes;
import dev.sluice.handle.CachedPages;
import dev.sluice.handle.FileAlignment;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.FileOption;
import dev.sluice.handle.LinuxVersion;
import dev.sluice.handle.SystemCallException;
import dev.sluice.handle.spi.Descriptors;
import dev.sluice.testing.Depth;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Direct, uncached and atomic transfers on file systems that depend on the sectors of the disk, and on the disk; and
 * copies on those that share blocks.
 */
@Tag(Depth.IN_MATRIX)
@EnabledOnOs(OS.LINUX)
class SectorTest {

    private static final int SIZE = 256 * 1024;
    private static final int LARGE = 64 << 20;
    private static final int PIECE = 1 << 20;

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({"ext4, 512", "ext4, 4096", "xfs, 512", "xfs, 4096", "btrfs, 512", "btrfs, 4096"})
    void optionsFitTheSectors(String type, int sector) throws Exception {
        try (LoopDevice device = LoopDevice.mount(type, sector, directory)) {
            Path path = device.resolve("file");
            Files.write(path, Bytes.random(SIZE));
            try (FileHandle direct = FileHandle.open(path, READ, WRITE, FileOption.DIRECT)) {
                checkDirect(direct, type, sector);
            }
            if (LinuxVersion.isAtLeast(6, 18)) {
                // As the documentation says.
                try (FileHandle plain = FileHandle.open(path)) {
                    assertEquals(!type.equals("btrfs"), plain.supportsDontcache());
                    assertEquals(type.equals("xfs"), plain.maxAtomicWrite() > 0);
                }
            }
            checkDontcache(path);
            checkAtomic(path);
        }
    }

    // Direct access

    private static void checkDirect(FileHandle file, String type, int sector) throws Exception {
        FileAlignment alignment = file.directAlignment();
        // The unit of Btrfs is the sector of the file system.
        assertEquals(type.equals("btrfs") ? 4096 : sector, alignment.write(), "unit of writes");
        assertTrue(alignment.read() <= alignment.write());
        int unit = alignment.write();
        ByteBuffer buffer = alignment.allocate(4 * unit);
        assertEquals(2 * unit, file.write(slice(buffer, 2 * unit), unit));
        assertEquals(4 * unit, file.read(slice(buffer, 4 * unit), 0));
        assertRefused("position: ", () -> file.write(slice(buffer, unit), unit / 2));
        assertRefused("length: ", () -> file.write(slice(buffer, unit / 2), 0));
        assertRefused("position: ", () -> file.read(slice(buffer, unit), alignment.read() / 2));
        assertRefused("length: ", () -> file.read(slice(buffer, alignment.read() / 2), 0));
        if (!type.equals("btrfs")) {
            // The system would refuse it; Btrfs uses the cache.
            assertTrue(Errno.EINVAL.is(pread(file, buffer, unit, unit / 2)));
            assertTrue(Errno.EINVAL.is(pread(file, buffer, unit / 2, 0)));
        }
        for (String name : demultiplexers().toList()) {
            try (Proactor proactor = Proactor.open(name)) {
                AsyncFile operations = new AsyncFile(proactor, file);
                assertEquals(unit, result(proactor, operations.writeFuture(slice(buffer, unit), unit)));
                assertEquals(unit, result(proactor, operations.readFuture(slice(buffer, unit), unit)));
                assertRefused("position: ", () -> operations.writeFuture(slice(buffer, unit), unit / 2));
                assertRefused("length: ", () -> operations.readFuture(slice(buffer, alignment.read() / 2), 0));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {512, 4096})
    void blockDeviceIsReadAndWrittenBySectors(int sector) throws Exception {
        try (LoopDevice device = LoopDevice.attach(sector, directory);
                FileHandle file = FileHandle.open(device.device(), READ, WRITE, FileOption.DIRECT)) {
            assertEquals(LoopDevice.BYTES, file.size());
            assertTrue(file.status().isOther());
            checkDirect(file, "block device", sector);
            checkContent(file, device.image());
            checkEnd(file);
        }
    }

    private static void checkContent(FileHandle device, Path image) throws Exception {
        FileAlignment alignment = device.directAlignment();
        byte[] content = Bytes.random(8 * alignment.write());
        long position = 4L * alignment.write();
        device.writeFully(alignment.allocate(content.length).put(content).flip(), position);
        ByteBuffer in = alignment.allocate(content.length);
        assertEquals(content.length, device.read(in, position));
        assertEquals(ByteBuffer.wrap(content), in.flip());
        device.force();
        try (FileHandle file = FileHandle.open(image)) {
            assertEquals(content.length, file.read(in.clear(), position));
            assertEquals(ByteBuffer.wrap(content), in.flip());
        }
    }

    /** A device does not grow: a write is cut short at its end, and fails there. */
    private static void checkEnd(FileHandle device) throws Exception {
        int unit = device.directAlignment().write();
        ByteBuffer buffer = device.directAlignment().allocate(2 * unit);
        long end = device.size();
        assertEquals(FileHandle.END_OF_FILE, device.read(slice(buffer, unit), end));
        assertEquals(unit, device.read(slice(buffer, 2 * unit), end - unit));
        assertEquals(unit, device.write(slice(buffer, 2 * unit), end - unit));
        assertEquals("ENOSPC", assertThrows(SystemCallException.class,
                () -> device.write(slice(buffer, unit), end)).errorName());
        for (String name : demultiplexers().toList()) {
            try (Proactor proactor = Proactor.open(name)) {
                ByteBuffer source = slice(buffer, 2 * unit);
                CompletableFuture<Long> write = new AsyncFile(proactor, device).writeFuture(source, end - unit);
                Throwable failure = assertThrows(ExecutionException.class, () -> result(proactor, write)).getCause();
                assertEquals("ENOSPC", assertInstanceOf(SystemCallException.class, failure).errorName());
                assertEquals(unit, source.position());
            }
        }
        assertEquals(end, device.size());
    }

    private static long pread(FileHandle file, ByteBuffer buffer, int length, long position) throws Exception {
        long address = Bindings.current().memory().address(buffer);
        int descriptor = (int) Descriptors.of(file.handle()).acquire();
        try {
            return Bindings.current().posix().pread(descriptor, address, length, position);
        } finally {
            Descriptors.of(file.handle()).release();
        }
    }

    private static ByteBuffer slice(ByteBuffer buffer, int length) {
        return buffer.slice(0, length);
    }

    private interface Transfer {
        Object make() throws Exception;
    }

    private static void assertRefused(String what, Transfer transfer) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, transfer::make);
        assertTrue(e.getMessage().startsWith(what), e.getMessage());
    }

    private static Stream<String> demultiplexers() {
        return Mechanism.available().stream()
                .filter(each -> each.mode() == Mechanism.Mode.ASYNCHRONOUS && each.availability().usable())
                .map(Mechanism::name)
                .filter(name -> name.equals("io_uring") || name.equals("epoll"));
    }

    private static long result(Proactor proactor, CompletableFuture<Long> future) throws Exception {
        while (!future.isDone()) {
            proactor.runOnce(Duration.ofSeconds(30));
        }
        return future.get();
    }

    // Without the cache

    private static void checkDontcache(Path path) throws Exception {
        try (FileHandle plain = FileHandle.open(path)) {
            if (!plain.supportsDontcache()) {
                assertOpeningFails(path, WRITE, FileOption.DONTCACHE);
                return;
            }
            byte[] content = Bytes.random(SIZE, 7);
            try (FileHandle file = FileHandle.open(path, READ, WRITE, FileOption.DONTCACHE)) {
                assertDropped("written", plain, () -> assertEquals(SIZE, file.write(Bytes.direct(content), 0)));
                assertDropped("read", plain, () -> assertEquals(SIZE, file.read(ByteBuffer.allocateDirect(SIZE), 0)));
                for (String name : demultiplexers().toList()) {
                    try (Proactor proactor = Proactor.open(name)) {
                        AsyncFile operations = new AsyncFile(proactor, file);
                        assertDropped("written", plain, () -> assertEquals(SIZE,
                                result(proactor, operations.writeAndForceDataFuture(Bytes.direct(content), 0))));
                        ByteBuffer in = ByteBuffer.allocateDirect(SIZE);
                        assertDropped("read", plain, () -> assertEquals(SIZE,
                                result(proactor, operations.readFuture(in.clear(), 0))));
                        assertEquals(ByteBuffer.wrap(content), in.flip());
                    }
                }
            }
        }
    }

    private static void assertDropped(String what, FileHandle plain, CachedPages.Transfer transfer) throws Exception {
        assertTrue(CachedPages.areDropped(plain, SIZE / 2, transfer), () -> "bytes that were " + what + " are cached");
    }

    private static void assertOpeningFails(Path path, OpenOption... options) {
        assertEquals("EOPNOTSUPP",
                assertThrows(SystemCallException.class, () -> FileHandle.open(path, options)).errorName());
    }

    // Atomic writes

    private static void checkAtomic(Path path) throws Exception {
        try (FileHandle plain = FileHandle.open(path)) {
            checkAtomic(path, plain, plain.minAtomicWrite(), plain.maxAtomicWrite());
        }
    }

    private static void checkAtomic(Path path, FileHandle other, int min, int max) throws Exception {
        OpenOption[] options = {READ, WRITE, CREATE, FileOption.DIRECT, FileOption.ATOMIC};
        if (max == 0) {
            assertEquals(0, min);
            assertOpeningFails(path, options);
            return;
        }
        try (FileHandle file = FileHandle.open(path, options)) {
            assertRefused("target: ", () -> other.copyTo(0, min, file, 0));
            ByteBuffer buffer = file.directAlignment().allocate(2 * max);
            buffer.put(0, (byte) 1).put(max - 1, (byte) 2);
            assertEquals(max, file.write(slice(buffer, max), max));
            assertEquals(min, file.write(slice(buffer, min), min));
            assertEquals(max, file.read(slice(buffer, max), max));
            assertEquals(1, buffer.get(0));
            assertEquals(2, buffer.get(max - 1));
            assertRefused("length: ", () -> file.write(slice(buffer, 2 * max), 0));
            assertRefused("position: ", () -> file.write(slice(buffer, max), max / 2));
            for (String name : demultiplexers().toList()) {
                try (Proactor proactor = Proactor.open(name)) {
                    AsyncFile operations = new AsyncFile(proactor, file);
                    assertEquals(max, result(proactor, operations.writeFuture(slice(buffer, max), 0)));
                    assertEquals(min, result(proactor, operations.writeAndForceDataFuture(slice(buffer, min), 0)));
                    assertRefused("length: ", () -> operations.writeFuture(slice(buffer, 2 * max), 0));
                    assertRefused("target: ", () -> new AsyncFile(proactor, other).copyToFuture(0, min, file, 0));
                    AsyncFile handled = operations.withHandler(completion -> { });
                    ByteBuffer[] both = {slice(buffer, min), slice(buffer, min)};
                    assertRefused("buffers: ", () -> handled.write(both, 0, 2, 0, null));
                }
            }
        }
    }

    // Shared blocks

    private interface Copy {
        long to(FileHandle target) throws Exception;
    }

    /** The copy of a large file is another reference to its blocks, whichever thread makes the calls. */
    @ParameterizedTest
    @ValueSource(strings = {"xfs", "btrfs"})
    void copiesShareTheirBlocks(String type) throws Exception {
        try (LoopDevice device = LoopDevice.mount(type, 4096, directory);
                FileHandle file = FileHandle.open(device.resolve("original"), READ, WRITE, CREATE_NEW)) {
            long empty = device.freeBytes();
            ByteBuffer piece = Bytes.direct(Bytes.random(PIECE));
            for (long position = 0; position < LARGE; position += PIECE) {
                file.writeFully(piece.rewind(), position);
            }
            long taken = empty - device.freeBytes();
            assertTrue(taken > LARGE / 2, () -> "the file itself takes " + taken + " bytes");
            assertShared(device, "copy", target -> file.copyTo(0, LARGE, target, 0));
            for (String name : demultiplexers().toList()) {
                try (Proactor proactor = Proactor.open(name)) {
                    AsyncFile operations = new AsyncFile(proactor, file);
                    assertShared(device, "copy by " + name,
                            target -> result(proactor, operations.copyToFuture(0, LARGE, target, 0)));
                }
            }
        }
    }

    private static void assertShared(LoopDevice device, String name, Copy copy) throws Exception {
        long before = device.freeBytes();
        Path path = device.resolve(name);
        try (FileHandle target = FileHandle.open(path, WRITE, CREATE_NEW)) {
            assertEquals(LARGE, copy.to(target));
        }
        // Some blocks with the references.
        long taken = before - device.freeBytes();
        assertTrue(taken < LARGE / 8, () -> name + " takes " + taken + " bytes");
        assertEquals(-1, Files.mismatch(device.resolve("original"), path), name);
    }
}
