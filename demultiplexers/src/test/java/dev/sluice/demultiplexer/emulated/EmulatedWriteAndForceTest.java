package dev.sluice.demultiplexer.emulated;

import static dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer.FOREVER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.LeakChecked;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The order of the calls that write a file and force it, and what their failures lead to. */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class EmulatedWriteAndForceTest extends LeakChecked {

    private static final int SIZE = 1_000;
    private static final int APPENDS = 10;
    private static final long A_MOMENT = TimeUnit.MILLISECONDS.toNanos(5);

    private final ByteBuffer source = ByteBuffer.allocateDirect(SIZE);
    private FaultInjection faults;
    private AsynchronousEventDemultiplexer emulation;
    private Completions completions;
    private Path path;
    private FileHandle file;
    private Association where;
    private Operation operation;

    @BeforeEach
    void open(@TempDir Path directory) throws IOException {
        faults = FaultInjection.install();
        emulation = OpenedDemultiplexers.openAsynchronous("poll");
        completions = emulation.newCompletions(1);
        path = Files.createFile(directory.resolve("file"));
        file = FileHandle.open(path, StandardOpenOption.WRITE);
        where = emulation.associate(file.handle());
        operation = emulation.newOperation();
    }

    @AfterEach
    void close() {
        faults.close();
        emulation.close();
        completions.close();
        file.close();
    }

    private long start() throws IOException {
        operation.writeAndForceData(where, source, 0);
        return result();
    }

    private long result() throws IOException {
        assertEquals(1, emulation.awaitCompletions(completions, FOREVER));
        return completions.result(0);
    }

    private void assertCalls(int writes, int forces) {
        assertEquals(writes, faults.calls("pwrite"), "writes");
        assertEquals(forces, faults.calls("fdatasync"), "forces");
    }

    @Test
    void forcesOnceAfterTheWrite() throws IOException {
        faults.beforeNth("fdatasync", 1, () -> assertEquals(1, faults.calls("pwrite")));
        assertEquals(SIZE, start());
        assertCalls(1, 1);
        assertEquals(SIZE, Files.size(path));
    }

    @Test
    void shortWriteIsContinuedBeforeTheForce() throws IOException {
        faults.shortenNth("pwrite", 1, 10).shortenNth("pwrite", 2, 1);
        faults.beforeNth("fdatasync", 1, () -> assertEquals(3, faults.calls("pwrite")));
        assertEquals(SIZE, start());
        assertCalls(3, 1);
        assertEquals(SIZE, Files.size(path));
    }

    @Test
    void interruptedCallsAreRepeated() throws IOException {
        faults.failNth("pwrite", 1, Errno.EINTR).failNth("fdatasync", 1, Errno.EINTR);
        assertEquals(SIZE, start());
        assertCalls(2, 2);
    }

    @Test
    void nothingIsForcedAfterAFailedWrite() throws IOException {
        faults.shortenNth("pwrite", 1, 10).failNth("pwrite", 2, Errno.ENOSPC);
        long result = start();
        assertEquals("pwrite " + file + ": ENOSPC (no space left on the device); 10 bytes were written before, and"
                + " may not be durable", operation.error(result).getMessage());
        assertEquals(10, source.position());
        assertCalls(2, 0);
    }

    @Test
    void writeOfNothingIsAFailure() throws IOException {
        faults.returnNth("pwrite", 1, 0);
        assertTrue(operation.error(start()).getMessage().startsWith("pwrite " + file + ": EIO"));
        assertCalls(1, 0);
    }

    @Test
    void writeOfNothingIsAFailureWithoutAForceToo() throws IOException {
        faults.failEach("pwritev2", Errno.EOPNOTSUPP).shortenNth("pwrite", 1, 10).returnNth("pwrite", 2, 0);
        operation.write(where, source, 0);
        assertTrue(operation.error(result()).getMessage().startsWith("pwrite " + file + ": EIO"));
        assertEquals(10, source.position());
        assertCalls(2, 0);
    }

    /** The kernel may have dropped what it could not write, so another attempt would seem to succeed (fsync(2)). */
    @Test
    void failedForceIsNotRepeated() throws IOException {
        faults.failNth("fdatasync", 1, Errno.EIO);
        long result = start();
        assertEquals("fdatasync " + file + ": EIO (input/output error); " + SIZE + " bytes were written before, and may"
                + " not be durable", operation.error(result).getMessage());
        assertEquals(SIZE, source.position());
        assertCalls(1, 1);
    }

    /** A thread that writes cannot be stopped. Bytes of the heap are written a part at a time. */
    @Test
    void cancellationEndsAfterTheCurrentCall() throws Exception {
        CountDownLatch writing = new CountDownLatch(1);
        CountDownLatch cancelled = new CountDownLatch(1);
        faults.beforeNth("pwrite", 1, () -> {
            writing.countDown();
            await(cancelled);
        });
        ByteBuffer much = ByteBuffer.allocate(1_000_000);
        operation.writeAndForceData(where, much, 0);
        assertEquals(0, emulation.awaitCompletions(completions, 0));
        await(writing);
        operation.cancel();
        assertEquals(0, emulation.awaitCompletions(completions, 0));
        cancelled.countDown();
        long result = result();
        assertTrue(Errno.ECANCELED.is(result), () -> "" + result);
        assertCalls(1, 0);
        assertEquals(Files.size(path), much.position());
        assertTrue(operation.error(result).getMessage().endsWith(
                much.position() + " bytes were written before, and may not be durable"));
    }

    // Appends

    /** Starts appends of a byte each, and returns when all are written. The first force is held by the latch. */
    private List<Operation> startAppends(Association log, CountDownLatch held) throws IOException {
        faults.beforeNth("fdatasync", 1, () -> await(held));
        List<Operation> appends = new ArrayList<>();
        for (int i = 0; i < APPENDS; i++) {
            Operation append = emulation.newOperation();
            append.writeAndForceData(log, ByteBuffer.allocateDirect(1).put(0, (byte) i), 0);
            appends.add(append);
        }
        while (Files.size(path) < APPENDS || faults.calls("fdatasync") == 0) {
            assertEquals(0, emulation.awaitCompletions(completions, A_MOMENT));
        }
        return appends;
    }

    private FileHandle openToAppend() throws IOException {
        return FileHandle.open(path, StandardOpenOption.APPEND);
    }

    private void assertNext(Operation expected, long result) throws IOException {
        assertEquals(result, result());
        assertSame(expected, completions.operation(0));
    }

    /** The thread inside may learn of the last write only after the second force has begun. */
    private void assertFewForces() {
        int forces = faults.calls("fdatasync");
        assertTrue(forces == 2 || forces == 3, () -> forces + " forces");
    }

    @Test
    void oneForceCoversTheAppendsThatWereWrittenBeforeIt() throws IOException {
        CountDownLatch held = new CountDownLatch(1);
        try (FileHandle log = openToAppend()) {
            List<Operation> appends = startAppends(emulation.associate(log.handle()), held);
            assertEquals(1, faults.calls("fdatasync"));
            held.countDown();
            for (Operation each : appends) {
                assertNext(each, 1);
            }
        }
        assertFewForces();
        byte[] written = Files.readAllBytes(path);
        assertEquals(APPENDS, written.length);
        for (int i = 0; i < APPENDS; i++) {
            assertEquals(i, written[i]);
        }
    }

    /** Its error may be about the bytes of any of them, and the system would not report it to the next force. */
    @Test
    void failedForceFailsAllAppendsThatWereBegunBefore() throws IOException {
        CountDownLatch held = new CountDownLatch(1);
        long failure = -Errno.EIO.number();
        faults.failNth("fdatasync", 2, Errno.EIO);
        try (FileHandle log = openToAppend()) {
            Association end = emulation.associate(log.handle());
            List<Operation> appends = startAppends(end, held);
            held.countDown();
            Operation first = appends.remove(0);
            assertNext(first, 1);
            for (Operation each : appends) {
                assertNext(each, failure);
                assertTrue(each.error(failure).getMessage().startsWith("fdatasync " + log));
            }
            assertEquals(2, faults.calls("fdatasync"));
            first.writeAndForceData(end, ByteBuffer.allocateDirect(1), 0);
            assertNext(first, 1);
        }
    }

    /** The error may be about what it had written by then. It has two buffers, because nothing else calls writev. */
    @Test
    void failedForceFailsTheAppendThatIsBeingWritten() throws IOException {
        CountDownLatch held = new CountDownLatch(1);
        long failure = -Errno.EIO.number();
        faults.failNth("fdatasync", 1, Errno.EIO).beforeNth("writev", 1, () -> await(held));
        try (FileHandle log = openToAppend()) {
            Association end = emulation.associate(log.handle());
            Operation second = emulation.newOperation();
            ByteBuffer[] two = {ByteBuffer.allocateDirect(1), ByteBuffer.allocateDirect(1)};
            operation.writeAndForceData(end, ByteBuffer.allocateDirect(1), 0);
            second.transfer(OperationType.WRITE_AND_FORCE_DATA, end, two, 0, two.length, 0, true);
            assertNext(operation, failure);
            held.countDown();
            assertNext(second, failure);
            assertTrue(second.error(failure).getMessage().startsWith("fdatasync " + log));
            assertEquals(1, faults.calls("fdatasync"));
            second.transfer(OperationType.WRITE_AND_FORCE_DATA, end, new ByteBuffer[] {two[0].rewind()}, 0, 1, 0, true);
            assertNext(second, 1);
        }
        assertEquals(4, Files.size(path));
    }

    /** It waits for its turn and for the force of another append like any other. */
    @Test
    void appendOfNothingForcesWhatWasAppendedBefore() throws IOException {
        CountDownLatch held = new CountDownLatch(1);
        try (FileHandle log = openToAppend()) {
            Association end = emulation.associate(log.handle());
            List<Operation> appends = startAppends(end, held);
            operation.writeAndForceData(end, ByteBuffer.allocateDirect(0), 0);
            assertEquals(0, emulation.awaitCompletions(completions, A_MOMENT));
            held.countDown();
            for (Operation each : appends) {
                assertNext(each, 1);
            }
            assertNext(operation, 0);
        }
    }

    @Test
    void appendThatWaitsForAForceIsCancelledWithoutIt() throws IOException {
        CountDownLatch held = new CountDownLatch(1);
        try (FileHandle log = openToAppend()) {
            List<Operation> appends = startAppends(emulation.associate(log.handle()), held);
            Operation cancelled = appends.remove(1);
            cancelled.cancel();
            assertNext(cancelled, -Errno.ECANCELED.number());
            held.countDown();
            for (Operation each : appends) {
                assertNext(each, 1);
            }
        }
        assertFewForces();
    }

    @Test
    void appendsThatWaitForAForceEndWithTheirHandle() throws IOException {
        CountDownLatch held = new CountDownLatch(1);
        List<Operation> appends;
        try (FileHandle log = openToAppend()) {
            appends = startAppends(emulation.associate(log.handle()), held);
        }
        Operation first = appends.remove(0);
        for (Operation each : appends) {
            assertNext(each, -Errno.ECANCELED.number());
        }
        held.countDown();
        assertNext(first, 1);
        assertEquals(1, faults.calls("fdatasync"));
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
