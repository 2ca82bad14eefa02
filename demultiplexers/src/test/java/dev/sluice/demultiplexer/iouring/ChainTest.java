package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_FSYNC_DATASYNC;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_ASYNC_CANCEL;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_FSYNC;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_NOP;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_WRITE;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_WRITEV;
import static dev.sluice.calls.layout.IoUringConstants.IOSQE_IO_LINK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexer.operation.ProvidedBuffers;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.LeakChecked;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The chain of a write and a force: how many requests it takes, and what the operation makes of their answers. Nothing
 * is said to be durable before a force that began after the last byte.
 */
@EnabledIfIoUring
@Timeout(60)
class ChainTest extends LeakChecked {

    private static final int SIZE = 1_000;
    private static final int ENTRIES = 4;
    private static final int COUNT = 10;

    private final ByteBuffer source = ByteBuffer.allocateDirect(SIZE);
    private RewrittenCompletions requests;
    private IoUringDemultiplexer demultiplexer;
    private Completions completions;
    private Path path;
    private FileHandle file;
    private Association where;
    private Operation operation;
    /** The number of forces that have ended as if they had been interrupted. */
    private int interruptions;
    /** The number of other forces of appends that have ended. */
    private int forces;

    @BeforeEach
    void open(@TempDir Path directory) throws IOException {
        requests = RewrittenCompletions.install();
        open(directory, false);
    }

    private void open(Path directory, boolean plain) throws IOException {
        demultiplexer = new IoUringDemultiplexer(
                new IoUringSize(ENTRIES, 2 * ENTRIES, ProvidedBuffers.Size.DEFAULT, IoUringSize.NEVER), plain);
        completions = demultiplexer.newCompletions(8);
        path = directory.resolve("file");
        file = FileHandle.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        where = demultiplexer.associate(file.handle());
        operation = demultiplexer.newOperation();
    }

    @AfterEach
    void close() {
        demultiplexer.close();
        completions.close();
        file.close();
        requests.close();
    }

    private long start() throws IOException {
        operation.writeAndForceData(where, source, 0);
        return result();
    }

    private long result() throws IOException {
        assertEquals(1, demultiplexer.awaitCompletions(completions, TimeUnit.SECONDS.toNanos(30)));
        return completions.result(0);
    }

    private void assertRequests(int writes, int forces) {
        assertEquals(writes, requests.submitted(IORING_OP_WRITE), "writes");
        assertEquals(forces, requests.submitted(IORING_OP_FSYNC), "forces");
    }

    private void assertFailed(String call, Errno error, int bytes, long result) {
        String message = operation.error(result).getMessage();
        String end = bytes == 0 ? ")" : "; " + bytes + " bytes were written before, and may not be durable";
        assertTrue(message.startsWith(call + " " + file + ": " + error.name()) && message.endsWith(end), message);
    }

    @Test
    void oneSubmissionWritesAndForces() throws IOException {
        int before = requests.enters();
        assertEquals(SIZE, start());
        assertRequests(1, 1);
        assertEquals(IORING_FSYNC_DATASYNC, requests.latestFlags(IORING_OP_FSYNC));
        // The kernel begins the force when the write has moved all bytes, and nothing behind it waits.
        assertEquals(IOSQE_IO_LINK, requests.latestEntryFlags(IORING_OP_WRITE));
        assertEquals(0, requests.latestEntryFlags(IORING_OP_FSYNC));
        // One for each completion.
        assertTrue(requests.enters() - before <= 2, () -> requests.enters() - before + " calls");
        assertEquals(SIZE, Files.size(path));
    }

    @Test
    void severalBuffersAreOneChain() throws IOException {
        ByteBuffer[] two = {source, ByteBuffer.allocateDirect(1)};
        operation.transfer(OperationType.WRITE_AND_FORCE_DATA, where, two, 0, 2, 0, true);
        assertEquals(SIZE + 1, result());
        assertEquals(1, requests.submitted(IORING_OP_WRITEV));
        assertEquals(1, requests.submitted(IORING_OP_FSYNC));
    }

    /** The kernel has cancelled the force, as it does then; the force of the second chain is the one that counts. */
    @Test
    void shortWriteIsContinuedByAnotherChain() throws IOException {
        requests.next(IORING_OP_WRITE, honest -> 10).next(IORING_OP_FSYNC, honest -> -Errno.ECANCELED.number());
        assertEquals(SIZE, start());
        assertRequests(2, 2);
        assertEquals(SIZE, source.position());
    }

    /** Even if the kernel claims that it has forced nevertheless. */
    @Test
    void forceOfAShortWriteDoesNotCount() throws IOException {
        requests.next(IORING_OP_WRITE, honest -> 10);
        assertEquals(SIZE, start());
        assertRequests(2, 2);
    }

    /** A heap buffer takes two attempts. No completion would report a failed force between them. */
    @Test
    void onlyTheLastPartIsForced() throws IOException {
        int length = 100_000;
        operation.writeAndForceData(where, ByteBuffer.allocate(length), 0);
        assertEquals(length, result());
        assertRequests(2, 1);
    }

    @Test
    void failedWriteEndsTheChain() throws IOException {
        requests.next(IORING_OP_WRITE, honest -> 10).next(IORING_OP_FSYNC, honest -> -Errno.ECANCELED.number())
                .next(IORING_OP_WRITE, honest -> -Errno.ENOSPC.number());
        assertFailed("pwrite", Errno.ENOSPC, 10, start());
        assertEquals(10, source.position());
        assertRequests(2, 2);
    }

    @Test
    void writeOfNothingIsAFailure() throws IOException {
        requests.next(IORING_OP_WRITE, honest -> 0);
        assertFailed("pwrite", Errno.EIO, 0, start());
        assertRequests(1, 1);
    }

    /** The kernel may have dropped what it could not write, so another attempt would seem to succeed (fsync(2)). */
    @Test
    void failedForceIsNotRepeated() throws IOException {
        requests.next(IORING_OP_FSYNC, honest -> -Errno.EIO.number());
        assertFailed("fdatasync", Errno.EIO, SIZE, start());
        assertEquals(SIZE, source.position());
        assertRequests(1, 1);
    }

    @Test
    void interruptedRequestsAreRepeated() throws IOException {
        requests.next(IORING_OP_WRITE, honest -> -Errno.EINTR.number())
                .next(IORING_OP_FSYNC, honest -> -Errno.ECANCELED.number())
                .next(IORING_OP_FSYNC, honest -> -Errno.EINTR.number());
        assertEquals(SIZE, start());
        // The last force alone.
        assertRequests(2, 3);
    }

    @Test
    void withoutBytesOneRequestForces() throws IOException {
        operation.writeAndForceData(where, ByteBuffer.allocateDirect(0), 0);
        assertEquals(0, result());
        assertRequests(0, 1);
    }

    @Test
    void plainRingForcesWhenTheWriteHasCompleted(@TempDir Path other) throws IOException {
        close();
        requests = RewrittenCompletions.install();
        open(other, true);
        requests.next(IORING_OP_WRITE, honest -> {
            assertEquals(0, requests.submitted(IORING_OP_FSYNC));
            return honest;
        });
        assertEquals(SIZE, start());
        assertRequests(1, 1);
    }

    /** A queue with space for one more entry takes the write alone. */
    @Test
    void chainsThatDoNotFitAreWrittenFirst() throws IOException {
        Operation[] many = new Operation[10 * ENTRIES];
        for (int i = 0; i < many.length; i++) {
            many[i] = demultiplexer.newOperation();
            many[i].writeAndForceData(where, ByteBuffer.allocateDirect(1).put(0, (byte) (i + 1)), i);
        }
        int completed = 0;
        while (completed < many.length) {
            int count = demultiplexer.awaitCompletions(completions, TimeUnit.SECONDS.toNanos(30));
            assertTrue(count > 0, "no completion");
            for (int i = 0; i < count; i++) {
                assertEquals(1, completions.result(i));
            }
            completed += count;
        }
        byte[] written = Files.readAllBytes(path);
        for (int i = 0; i < many.length; i++) {
            assertEquals((byte) (i + 1), written[i]);
        }
        assertRequests(many.length, many.length);
    }

    /**
     * The kernel that lacks memory for the second request takes the first alone. The second would be executed at once,
     * and say that bytes are durable that may not even have been written.
     */
    @Test
    void forceThatIsSeparatedFromItsWriteIsNotExecuted() throws IOException {
        requests.submitAtMost(1);
        assertEquals(SIZE, start());
        assertRequests(1, 1);
        assertEquals(1, requests.submitted(IORING_OP_NOP));
    }

    // Appends

    /**
     * Lets forces end as if they had been interrupted, so that they are requested again, while a condition is true.
     *
     * @param interrupts asked when a force has ended
     * @param forced     the result of the first force that is not interrupted
     */
    private void interruptForces(BooleanSupplier interrupts, int forced) {
        requests.next(IORING_OP_FSYNC, honest -> {
            interruptForces(interrupts, forced);
            if (interrupts.getAsBoolean()) {
                interruptions++;
                return -Errno.EINTR.number();
            }
            return forces++ == 0 ? forced : honest;
        });
    }

    private FileHandle openToAppend() throws IOException {
        return FileHandle.open(path, StandardOpenOption.APPEND);
    }

    /** Starts appends of a byte each. */
    private List<Operation> startAppends(FileHandle log) throws IOException {
        Association end = demultiplexer.associate(log.handle());
        List<Operation> appends = new ArrayList<>();
        for (int i = 0; i < COUNT; i++) {
            Operation append = demultiplexer.newOperation();
            append.writeAndForceData(end, ByteBuffer.allocateDirect(1).put(0, (byte) i), 0);
            appends.add(append);
        }
        return appends;
    }

    /** {@return the next operations to complete, which all have the same result} */
    private List<Operation> collect(int count, long result) throws IOException {
        List<Operation> completed = new ArrayList<>();
        while (completed.size() < count) {
            assertTrue(demultiplexer.awaitCompletions(completions, TimeUnit.SECONDS.toNanos(30)) > 0, "none");
            for (int i = 0; i < completions.size(); i++) {
                assertEquals(result, completions.result(i));
                completed.add(completions.operation(i));
            }
        }
        return completed;
    }

    /**
     * Appends bytes. Each force is interrupted until all are in the file.
     *
     * @param forced the result of the first force after that
     * @return the operations, which complete in the order of their start
     */
    private List<Operation> append(int forced) throws IOException {
        interruptForces(() -> length() < COUNT, forced);
        try (FileHandle log = openToAppend()) {
            List<Operation> appends = startAppends(log);
            assertEquals(appends, collect(COUNT, forced < 0 ? forced : 1));
            return appends;
        }
    }

    private long length() {
        try {
            return Files.size(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void appendsAreWrittenDuringAForceAndShareTheNextOne() throws IOException {
        append(0);
        byte[] written = Files.readAllBytes(path);
        for (int i = 0; i < COUNT; i++) {
            assertEquals(i, written[i]);
        }
        assertEquals(forces + interruptions, requests.submitted(IORING_OP_FSYNC));
        // The completion of the last write may come only after the second force has been requested.
        assertTrue(forces == 2 || forces == 3, () -> forces + " forces");
        assertEquals(COUNT, requests.submitted(IORING_OP_WRITE));
    }

    /** Its error may be about the bytes of any of them, and the kernel would not report it to the next force. */
    @Test
    void failedForceFailsAllAppendsThatWereBegunBefore() throws IOException {
        for (Operation each : append(-Errno.EIO.number())) {
            String message = each.error(-Errno.EIO.number()).getMessage();
            assertTrue(message.startsWith("fdatasync ") && message.contains("EIO"), message);
        }
        assertEquals(interruptions + 1, requests.submitted(IORING_OP_FSYNC));
    }

    /** The bytes of the others still have to be forced. */
    @Test
    void nextAppendForcesIfTheOneThatForcesIsCancelled() throws IOException {
        AtomicBoolean held = new AtomicBoolean(true);
        interruptForces(held::get, 0);
        try (FileHandle log = openToAppend()) {
            List<Operation> appends = startAppends(log);
            while (length() < COUNT) {
                assertEquals(0, demultiplexer.awaitCompletions(completions, 0));
            }
            Operation first = appends.remove(0);
            first.cancel();
            assertEquals(List.of(first), collect(1, -Errno.ECANCELED.number()));
            held.set(false);
            assertEquals(appends, collect(appends.size(), 1));
        }
    }

    /** Its force was to follow it at once, and the next append is forced without it. */
    @Test
    void failedWriteOfAnAppendFailsNoOther() throws IOException {
        requests.next(IORING_OP_WRITE, honest -> -Errno.ENOSPC.number())
                .next(IORING_OP_FSYNC, honest -> -Errno.ECANCELED.number());
        try (FileHandle log = openToAppend()) {
            List<Operation> appends = startAppends(log);
            assertEquals(List.of(appends.remove(0)), collect(1, -Errno.ENOSPC.number()));
            assertEquals(appends, collect(appends.size(), 1));
        }
    }

    /** A force is executed by a thread of the kernel, and may be over when the cancellation arrives. */
    @Test
    void forceIsCancelledByItsOwnName() throws IOException {
        boolean cancelled = false;
        for (int i = 0; i < 1_000 && !cancelled; i++) {
            operation.writeAndForceData(where, source.clear(), 0);
            demultiplexer.awaitCompletions(completions, 0);
            if (operation.isInFlight()) {
                operation.cancel();
                long result = result();
                assertTrue(result == SIZE || Errno.ECANCELED.is(result), () -> "" + result);
                cancelled = true;
            }
        }
        assertTrue(requests.submitted(IORING_OP_ASYNC_CANCEL) < 100, "the cancellation is repeated without an end");
    }
}
