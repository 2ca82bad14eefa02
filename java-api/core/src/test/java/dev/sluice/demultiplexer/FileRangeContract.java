package dev.sluice.demultiplexer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.calls.Errno;
import dev.sluice.calls.Platform.Os;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.handle.Bytes;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.OtherSystem;
import dev.sluice.testing.Depth;
import dev.sluice.testing.WineDifference;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Space and cache of ranges of files. */
@Tag(Depth.TRANSFER)
abstract class FileRangeContract extends OperationContract {

    private static final int BLOCK = 4096;
    private static final int SIZE = 8 * BLOCK;
    /** More than the threads of a pool. */
    private static final int MANY = 20;
    private static final Set<OperationType> TYPES = EnumSet.range(OperationType.ALLOCATE, OperationType.WRITE_BACK);

    private final byte[] content = Bytes.random(SIZE);
    private FileHandle file;
    private Association where;

    FileRangeContract(AsynchronousMechanism mechanism) {
        super(mechanism);
    }

    @BeforeEach
    final void openFile() throws IOException {
        file = own(FileHandle.open(directory.resolve("file"), StandardOpenOption.READ, StandardOpenOption.WRITE,
                StandardOpenOption.CREATE_NEW));
        assertEquals(SIZE, file.write(ByteBuffer.wrap(content), 0));
        where = associate(file.handle());
    }

    private byte[] read(int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        assertEquals(length, file.read(bytes, 0));
        return bytes.array();
    }

    @Test
    @DisabledOnOs(value = OS.OPENBSD, disabledReason = "the system has no such call")
    void allocateExtendsAFileThatIsShorter() throws IOException {
        WineDifference.LACKS_ALLOCATION.assumeAbsent();
        Flight allocate = start(o -> o.allocate(where, 0, SIZE));
        assertResult(0, allocate);
        assertEquals(OperationType.ALLOCATE, allocate.operation().type());
        assertEquals(SIZE, file.size());
        assertResult(0, allocate.start(o -> o.allocate(where, SIZE + 1, 2 * BLOCK)));
        assertEquals(SIZE + 1 + 2 * BLOCK, file.size());
        assertArrayEquals(content, read(SIZE));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aHoleTakesNoSpace() throws IOException {
        file.force();
        long before = file.allocatedSize();
        assertResult(0, start(o -> o.punchHole(where, BLOCK, 4 * BLOCK)));
        assertTrue(file.allocatedSize() < before, () -> "still " + before + " bytes");
    }

    @Test
    @DisabledOnOs(value = OS.OPENBSD, disabledReason = "the system has no such call")
    void aHoleReadsAsZeros() throws IOException {
        WineDifference.LACKS_HOLES.assumeAbsent();
        assertResult(0, start(o -> o.punchHole(where, BLOCK, 4 * BLOCK)));
        assertEquals(SIZE, file.size());
        System.arraycopy(new byte[4 * BLOCK], 0, content, BLOCK, 4 * BLOCK);
        assertArrayEquals(content, read(SIZE));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void theCacheIsAdvised() throws IOException {
        for (long length : new long[] {1, SIZE, (1L << 32) - 1, 1L << 32, Long.MAX_VALUE}) {
            assertResult(0, start(o -> o.writeBack(where, 0, length)));
            assertResult(0, start(o -> o.evict(where, 0, length)));
            assertResult(0, start(o -> o.prefetch(where, 0, length)));
        }
        assertArrayEquals(content, read(SIZE));
    }

    /** {@return the number of pages of the file that are in the cache} */
    private static int cachedPages(Path path) throws IOException {
        int cached = 0;
        try (FileChannel channel = FileChannel.open(path)) {
            for (int i = 0; i < SIZE / BLOCK; i++) {
                cached += channel.map(FileChannel.MapMode.READ_ONLY, (long) i * BLOCK, BLOCK).isLoaded() ? 1 : 0;
            }
        }
        return cached;
    }

    /** The system drops no page that the disk has not been given. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void whatIsWrittenBackCanBeDropped() throws IOException {
        Path path = directory.resolve("file");
        file.force();
        file.evict(0, Long.MAX_VALUE);
        assumeTrue(cachedPages(path) == 0, "the file system drops no pages of this file");
        for (long length : new long[] {SIZE, 1L << 32}) {
            assertEquals(SIZE, file.write(ByteBuffer.wrap(content), 0));
            assertEquals(SIZE / BLOCK, cachedPages(path));
            assertResult(0, start(o -> o.writeBack(where, 0, length)));
            assertResult(0, start(o -> o.evict(where, 0, Long.MAX_VALUE)));
            assertEquals(0, cachedPages(path));
        }
    }

    /** What io_uring cannot express goes to threads, which make the same calls. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void failuresNameCallErrorAndSubject() throws IOException {
        Association readOnly = associate(own(FileHandle.open(directory.resolve("file"))).handle());
        Association device = associate(own(FileHandle.open(Path.of("/dev/null"))).handle());
        assertNamed("fallocate", Errno.EBADF, readOnly, start(o -> o.allocate(readOnly, 0, 1)));
        assertNamed("fallocate", Errno.EBADF, readOnly, start(o -> o.punchHole(readOnly, 0, 1)));
        assertNamed("sync_file_range", Errno.ESPIPE, device, start(o -> o.writeBack(device, 0, 1)));
        assertNamed("sync_file_range", Errno.ESPIPE, device, start(o -> o.writeBack(device, 0, 1L << 32)));
    }

    private void assertNamed(String call, Errno error, Association subject, Flight failing) throws IOException {
        assertFails(error, failing);
        String message = failing.operation().error(failing.result()).getMessage();
        assertTrue(message.startsWith(call + " " + subject) && message.contains(error.name()), message);
    }

    private void assertRefused(Class<? extends Exception> with, OperationType type, Association association,
            long position, long length) throws IOException {
        Flight flight = flight();
        assertThrows(with, () -> flight.start(o -> o.range(type, association, position, length)));
        assertFalse(flight.operation().isInFlight());
        assertResult(1, flight.start(o -> o.post(1)));
    }

    @Test
    void whatIsNoRangeIsRefused() throws IOException {
        for (OperationType type : TYPES) {
            assertRefused(IllegalArgumentException.class, type, where, -1, 1);
            assertRefused(IllegalArgumentException.class, type, where, 0, 0);
            assertRefused(IllegalArgumentException.class, type, where, 0, -1);
            assertRefused(IllegalArgumentException.class, type, where, 2, Long.MAX_VALUE - 1);
            assertRefused(NullPointerException.class, type, null, 0, 1);
        }
    }

    @Test
    @Tag(CalledSystem.ONLY_WINDOWS)
    void windowsAdvisesNoCache() throws IOException {
        for (OperationType type : EnumSet.range(OperationType.PREFETCH, OperationType.WRITE_BACK)) {
            assertRefused(UnsupportedOperationException.class, type, where, 0, 1);
        }
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void whatTheSystemLacksIsRefused() throws IOException {
        try (OtherSystem played = OtherSystem.play(Os.OPENBSD);
                FileHandle there = FileHandle.open(directory.resolve("file"))) {
            Association association = associate(there.handle());
            for (OperationType type : TYPES) {
                assertRefused(UnsupportedOperationException.class, type, association, 0, 1);
            }
            association.end();
        }
    }

    private static Set<OperationType> available() {
        return CalledSystem.isWindows() ? EnumSet.of(OperationType.ALLOCATE, OperationType.PUNCH_HOLE) : TYPES;
    }

    private List<Flight> many() throws IOException {
        WineDifference.LACKS_ALLOCATION.assumeAbsent();
        List<Flight> all = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            for (OperationType type : available()) {
                all.add(start(o -> o.range(type, where, 0, SIZE)));
            }
        }
        return all;
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.WINDOWS})
    void cancelledOnesComplete() throws IOException {
        List<Flight> all = many();
        collect(0);
        all.forEach(flight -> flight.operation().cancel());
        for (Flight flight : all) {
            assertTrue(isCancelled(flight) || flight.result() == 0);
        }
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.WINDOWS})
    void onesInFlightEndWithTheirFile() throws IOException {
        List<Flight> all = many();
        collect(0);
        file.close();
        for (Flight flight : all) {
            assertTrue(isCancelled(flight) || flight.result() == 0);
        }
        for (OperationType type : available()) {
            assertCancelled(start(o -> o.range(type, where, 0, SIZE)));
        }
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.WINDOWS})
    void onesInFlightEndWithTheDemultiplexer() throws IOException {
        List<Flight> all = many();
        collect(0);
        demultiplexer.close();
        all.forEach(flight -> assertFalse(flight.operation().isInFlight()));
    }
}
