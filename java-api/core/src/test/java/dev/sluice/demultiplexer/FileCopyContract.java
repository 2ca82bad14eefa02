package dev.sluice.demultiplexer;

import static dev.sluice.handle.Bytes.assertBytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.handle.Bytes;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.FileHandle;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Lengths of files, and copies of their ranges. */
@Tag(Depth.TRANSFER)
abstract class FileCopyContract extends OperationContract {

    private static final int SIZE = 300_000;
    /** More than two of the parts in which a file is copied. */
    private static final long LONG = 9 << 20;
    /** More than the threads of a pool. */
    private static final int MANY = 20;

    private final byte[] content = Bytes.random(SIZE);
    private Path path;
    private Path copy;
    private FileHandle file;
    private FileHandle target;
    private Association where;

    FileCopyContract(AsynchronousMechanism mechanism) {
        super(mechanism);
    }

    @BeforeEach
    final void openFiles() throws IOException {
        path = Files.write(directory.resolve("file"), content);
        copy = directory.resolve("copy");
        file = own(FileHandle.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE));
        target = own(FileHandle.open(copy, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW));
        where = associate(file.handle());
    }

    // Lengths

    @Test
    void truncateShortensAndExtends() throws IOException {
        Flight truncate = start(o -> o.truncate(where, 1_000));
        assertResult(0, truncate);
        assertEquals(OperationType.TRUNCATE, truncate.operation().type());
        assertBytes(Arrays.copyOf(content, 1_000), Files.readAllBytes(path));
        assertResult(0, truncate.start(o -> o.truncate(where, 5L << 32)));
        assertEquals(5L << 32, file.size());
        assertResult(0, truncate.start(o -> o.truncate(where, 500)));
        assertResult(0, truncate.start(o -> o.truncate(where, 1_000)));
        // What was behind the end does not come back.
        assertBytes(Arrays.copyOf(Arrays.copyOf(content, 500), 1_000), Files.readAllBytes(path));
        assertResult(0, truncate.start(o -> o.truncate(where, 0)));
        assertEquals(0, Files.size(path));
    }

    @Test
    void truncateIsRefused() throws IOException {
        Flight flight = flight();
        assertThrows(IllegalArgumentException.class, () -> flight.start(o -> o.truncate(where, -1)));
        assertThrows(NullPointerException.class, () -> flight.start(o -> o.truncate(null, 0)));
        assertFalse(flight.operation().isInFlight());
        Association readOnly = associate(own(FileHandle.open(path)).handle());
        long result = result(flight.start(o -> o.truncate(readOnly, 0)));
        assertTrue(Errno.EINVAL.is(result) || Errno.EBADF.is(result) || Errno.EACCES.is(result), () -> "" + result);
        String message = flight.operation().error(result).getMessage();
        assertTrue(message.startsWith("ftruncate " + readOnly + ": "), message);
        file.close();
        assertCancelled(flight.start(o -> o.truncate(where, 0)));
        assertEquals(SIZE, Files.size(path));
    }

    // Copies

    @Test
    void aFileIsCopiedBehindItsEnd() throws IOException {
        assertResult(SIZE, start(o -> o.copy(where, 0, Long.MAX_VALUE, file, SIZE)));
        assertEquals(2 * SIZE, file.size());
        FileHandle appending = own(FileHandle.open(path, StandardOpenOption.APPEND));
        assertResult(2 * SIZE, start(o -> o.copy(where, 0, Long.MAX_VALUE, appending, 0)));
        assertEquals(4 * SIZE, file.size());
    }

    @Test
    void aRangeIsCopied() throws IOException {
        Flight flight = start(o -> o.copy(where, 50_000, 200_000, target, 10));
        assertResult(200_000, flight);
        assertEquals(OperationType.COPY, flight.operation().type());
        byte[] copied = Files.readAllBytes(copy);
        assertEquals(200_010, copied.length);
        assertEquals(ByteBuffer.wrap(content, 50_000, 200_000), ByteBuffer.wrap(copied, 10, 200_000));
        assertResult(100, flight.start(o -> o.copy(where, SIZE - 100, Long.MAX_VALUE, target, 0)));
        assertResult(0, flight.start(o -> o.copy(where, SIZE, 1, target, 0)));
        assertResult(0, flight.start(o -> o.copy(where, 0, 0, target, 0)));
        assertResult(0, flight.start(o -> o.copy(where, Long.MAX_VALUE, Long.MAX_VALUE, target, 0)));
    }

    @Test
    void aCopyIsAppended() throws IOException {
        Files.write(copy, content);
        FileHandle end = own(FileHandle.open(copy, StandardOpenOption.APPEND));
        assertResult(SIZE, start(o -> o.copy(where, 0, Long.MAX_VALUE, end, 7)));
        byte[] expected = Arrays.copyOf(content, 2 * SIZE);
        System.arraycopy(content, 0, expected, SIZE, SIZE);
        assertBytes(expected, Files.readAllBytes(copy));
    }

    @Test
    void aLongCopyTakesSeveralParts() throws IOException {
        file.truncate(LONG);
        byte[] end = Bytes.random(10);
        assertEquals(10, file.write(ByteBuffer.wrap(end), LONG));
        assertResult(LONG + 10, start(o -> o.copy(where, 0, Long.MAX_VALUE, target, 0)));
        assertEquals(LONG + 10, Files.size(copy));
        byte[] copied = Files.readAllBytes(copy);
        assertBytes(content, Arrays.copyOf(copied, SIZE));
        assertBytes(end, Arrays.copyOfRange(copied, (int) LONG, (int) LONG + 10));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void whatTheSystemCannotCopyIsReadAndWritten() throws IOException {
        for (Errno error : List.of(Errno.EXDEV, Errno.ENOSYS, Errno.EOPNOTSUPP, Errno.EPERM)) {
            Files.delete(copy);
            try (FaultInjection faults = FaultInjection.install(); FileHandle from = FileHandle.open(path);
                    FileHandle to = FileHandle.open(copy, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
                faults.failEach("copy_file_range", error).shortenEach("pwrite", 1000).failNth("pread", 2, Errno.EINTR);
                Association there = associate(from.handle());
                assertResult(SIZE, start(o -> o.copy(there, 0, Long.MAX_VALUE, to, 0)));
                there.end();
            }
            assertBytes(content, Files.readAllBytes(copy));
        }
        // Its length is 0.
        Association made = associate(own(FileHandle.open(Path.of("/proc/self/cmdline"))).handle());
        assertTrue(result(start(o -> o.copy(made, 0, Long.MAX_VALUE, target, 0))) > 0);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void failuresNameCallErrorAndBothFiles() throws IOException {
        FileHandle readOnly = own(FileHandle.open(copy));
        assertNamed("copy_file_range", Errno.EBADF, readOnly, start(o -> o.copy(where, 0, 1, readOnly, 0)));
        FileHandle full = own(FileHandle.open(Path.of("/dev/full"), StandardOpenOption.WRITE));
        assertNamed("pwrite", Errno.ENOSPC, full, start(o -> o.copy(where, 0, 1, full, 0)));
        try (FaultInjection faults = FaultInjection.install(); FileHandle from = FileHandle.open(path)) {
            faults.failEach("copy_file_range", Errno.ENOSYS).failNth("pwrite", 3, Errno.EIO)
                    .failNth("pwrite", 4, Errno.EIO);
            Association there = associate(from.handle());
            Flight failing = start(o -> o.copy(there, 0, SIZE, target, 0));
            assertFails(Errno.EIO, failing);
            String message = failing.operation().error(failing.result()).getMessage();
            assertTrue(message.endsWith("; 131072 bytes were copied before"), message);
            there.end();
        }
    }

    private void assertNamed(String call, Errno error, FileHandle to, Flight failing) throws IOException {
        assertFails(error, failing);
        String message = failing.operation().error(failing.result()).getMessage();
        assertTrue(message.startsWith(call + " " + where + " to " + to + ": " + error.name()), message);
    }

    @Test
    void copyIsRefused() throws IOException {
        Flight flight = flight();
        assertThrows(IllegalArgumentException.class, () -> flight.start(o -> o.copy(where, -1, 1, target, 0)));
        assertThrows(IllegalArgumentException.class, () -> flight.start(o -> o.copy(where, 0, -1, target, 0)));
        assertThrows(IllegalArgumentException.class, () -> flight.start(o -> o.copy(where, 0, 1, target, -1)));
        assertThrows(NullPointerException.class, () -> flight.start(o -> o.copy(where, 0, 1, null, 0)));
        assertThrows(NullPointerException.class, () -> flight.start(o -> o.copy(null, 0, 1, target, 0)));
        assertFalse(flight.operation().isInFlight());
        target.close();
        assertFails(Errno.EBADF, flight.start(o -> o.copy(where, 0, 1, target, 0)));
    }

    /** The part that a thread is copying is finished, and no other begun. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void aCopyIsCancelledBetweenParts() throws Exception {
        file.truncate(LONG);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        try (FaultInjection calls = FaultInjection.install(); FileHandle from = FileHandle.open(path)) {
            calls.before("copy_file_range", () -> {
                begun.countDown();
                awaitUninterruptibly(go);
            });
            Association there = associate(from.handle());
            Flight flight = start(o -> o.copy(there, 0, LONG, target, 0));
            while (!begun.await(1, TimeUnit.MILLISECONDS)) {
                collect(0);
            }
            flight.operation().cancel();
            collect(0);
            // Held open by the operation.
            target.close();
            go.countDown();
            assertCancelled(flight);
            assertEquals(1, calls.calls("copy_file_range"));
            String message = flight.operation().error(flight.result()).getMessage();
            assertTrue(message.endsWith("; " + Files.size(copy) + " bytes were copied before"), message);
            there.end();
        } finally {
            go.countDown();
        }
        assertTrue(Files.size(copy) < LONG);
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private List<Flight> many() throws IOException {
        List<Flight> all = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            all.add(start(o -> o.copy(where, 0, SIZE, target, 0)));
            all.add(start(o -> o.truncate(where, SIZE)));
        }
        collect(0);
        return all;
    }

    @Test
    void cancelledOnesComplete() throws IOException {
        List<Flight> all = many();
        all.forEach(flight -> flight.operation().cancel());
        for (Flight flight : all) {
            isCancelled(flight);
        }
    }

    @Test
    void onesInFlightEndWithTheirFile() throws IOException {
        List<Flight> all = many();
        file.close();
        for (Flight flight : all) {
            isCancelled(flight);
        }
        assertCancelled(start(o -> o.copy(where, 0, SIZE, target, 0)));
    }

    @Test
    void onesInFlightEndWithTheDemultiplexer() throws IOException {
        List<Flight> all = many();
        demultiplexer.close();
        all.forEach(flight -> assertFalse(flight.operation().isInFlight()));
    }
}
