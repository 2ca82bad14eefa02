package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_FALLOCATE;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_FSYNC;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_FTRUNCATE;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_OPENAT;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_READ;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_READV;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SPLICE;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_STATX;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_UNLINKAT;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_WRITE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexer.operation.FilePool;
import dev.sluice.demultiplexer.operation.ProvidedBuffers;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.handle.DirectoryHandle;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import dev.sluice.system.OperatingSystem;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that a file system refuses with EOPNOTSUPP, and what threads do instead. */
@EnabledIfIoUring
@Timeout(60)
class FileRequestTest extends LeakChecked {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int SIZE = 100_000;
    private static final int ROUNDS = 2_000;
    private static final long SHORT_NANOS = 100_000;

    private RewrittenCompletions rewritten;
    private FaultInjection calls;
    private IoUringDemultiplexer demultiplexer;
    private Completions completions;
    private FileHandle file;
    private Association where;
    /** What calls wait for. */
    private final CountDownLatch go = new CountDownLatch(1);

    @TempDir
    Path directory;

    @BeforeEach
    void open() throws IOException {
        rewritten = RewrittenCompletions.install();
        calls = FaultInjection.install();
        demultiplexer = new IoUringDemultiplexer(
                new IoUringSize(64, 128, ProvidedBuffers.Size.DEFAULT, IoUringSize.NEVER), false);
        completions = own(demultiplexer.newCompletions(64));
        // With DSYNC, each write is a request.
        file = FileHandle.open(directory.resolve("file"), StandardOpenOption.READ, StandardOpenOption.WRITE,
                StandardOpenOption.CREATE_NEW, StandardOpenOption.DSYNC);
        where = demultiplexer.associate(file.handle());
    }

    @AfterEach
    void close() {
        go.countDown();
        demultiplexer.close();
        file.close();
        calls.close();
        rewritten.close();
    }

    private static int refused(int result) {
        return -Errno.EOPNOTSUPP.number();
    }

    private long result() throws IOException {
        assertEquals(1, demultiplexer.awaitCompletions(completions, PATIENCE.toNanos()));
        return completions.result(0);
    }

    private static byte[] content() {
        byte[] content = new byte[SIZE];
        for (int i = 0; i < SIZE; i++) {
            content[i] = (byte) (i * 31 >> 7);
        }
        return content;
    }

    /** A heap buffer takes several attempts, of which only the first one is a request. */
    @Test
    void aWriteThatIsRefusedIsMadeByAThread() throws IOException {
        rewritten.next(IORING_OP_WRITE, FileRequestTest::refused);
        byte[] content = content();
        Operation write = demultiplexer.newOperation();
        write.write(where, ByteBuffer.wrap(content), 7);
        assertEquals(SIZE, result());
        assertEquals(1, rewritten.submitted(IORING_OP_WRITE));
        assertEquals(2, calls.calls("pwrite"));
        assertEquals(SIZE + 7, Files.size(directory.resolve("file")));
        write.write(where, ByteBuffer.wrap(content), 0);
        assertEquals(SIZE, result());
        assertEquals(1, rewritten.submitted(IORING_OP_WRITE), "a request of a type that has been refused is tried");
        assertEquals(ByteBuffer.wrap(content),
                ByteBuffer.wrap(Files.readAllBytes(directory.resolve("file")), 0, SIZE));
    }

    @Test
    void whatIsRefusedOfOneFileIsTriedOnOthers() throws IOException {
        rewritten.next(IORING_OP_READV, FileRequestTest::refused);
        file.write(ByteBuffer.wrap(content()), 0);
        ByteBuffer[] buffers = {ByteBuffer.allocateDirect(10), ByteBuffer.allocate(10)};
        Operation read = demultiplexer.newOperation();
        read.read(where, buffers, 0, 2, 1000);
        assertEquals(20, result());
        assertEquals(1, calls.calls("preadv"));
        assertEquals(content()[1011], buffers[1].get(1));
        try (FileHandle other = FileHandle.open(directory.resolve("file"))) {
            Association elsewhere = demultiplexer.associate(other.handle());
            buffers[0].clear();
            read.read(elsewhere, buffers, 0, 1, 0);
            assertEquals(10, result());
            assertEquals(2, rewritten.submitted(IORING_OP_READV));
            assertEquals(1, calls.calls("preadv"));
        }
    }

    @Test
    void forcesAndRangesThatAreRefusedAreMadeByAThread() throws IOException {
        rewritten.next(IORING_OP_FSYNC, FileRequestTest::refused)
                .next(IORING_OP_FALLOCATE, FileRequestTest::refused);
        Operation operation = demultiplexer.newOperation();
        operation.forceData(where);
        assertEquals(0, result());
        assertEquals(1, calls.calls("fdatasync"));
        // Another type of operation, though the same kind of request.
        operation.force(where);
        assertEquals(0, result());
        assertEquals(0, calls.calls("fsync"));
        assertEquals(2, rewritten.submitted(IORING_OP_FSYNC));
        operation.allocate(where, 0, SIZE);
        assertEquals(0, result());
        assertEquals(1, calls.calls("fallocate"));
        assertEquals(SIZE, file.size());
    }

    @Test
    void aTruncationThatIsRefusedIsMadeByAThread() throws IOException {
        Operation truncate = demultiplexer.newOperation();
        truncate.truncate(where, SIZE);
        assertEquals(0, result());
        assertEquals(SIZE, file.size());
        assumeTrue(rewritten.submitted(IORING_OP_FTRUNCATE) > 0, "before Linux 6.9");
        assertEquals(0, calls.calls("ftruncate"));
        rewritten.next(IORING_OP_FTRUNCATE, FileRequestTest::refused);
        truncate.truncate(where, 7);
        assertEquals(0, result());
        assertEquals(1, calls.calls("ftruncate"));
        assertEquals(7, file.size());
    }

    /** The thread gets the same answer as the ring, which is final then. */
    @Test
    void whatTheCallDoesNotSupportFails() throws IOException {
        rewritten.next(IORING_OP_FALLOCATE, FileRequestTest::refused);
        calls.failEach("fallocate", Errno.EOPNOTSUPP);
        Operation operation = demultiplexer.newOperation();
        operation.punchHole(where, 0, SIZE);
        long result = result();
        assertTrue(Errno.EOPNOTSUPP.is(result), () -> "result " + result);
    }

    @Test
    void anInterruptedCallIsRepeated() throws IOException {
        rewritten.next(IORING_OP_FSYNC, FileRequestTest::refused);
        calls.failNth("fsync", 1, Errno.EINTR);
        demultiplexer.newOperation().force(where);
        assertEquals(0, result());
        assertEquals(2, calls.calls("fsync"));
    }

    private static int closedAndRefused(int descriptor) {
        OperatingSystem.current().close(descriptor, false);
        return -Errno.EOPNOTSUPP.number();
    }

    /** The heap buffer takes two attempts. */
    @Test
    void aChainThatIsRefusedIsMadeByAThread() throws IOException {
        rewritten.next(IORING_OP_WRITE, FileRequestTest::refused);
        Operation chain = demultiplexer.newOperation();
        for (int i = 1; i <= 2; i++) {
            chain.writeAndForceData(where, ByteBuffer.wrap(content()), 0);
            assertEquals(SIZE, result());
            assertEquals(1, rewritten.submitted(IORING_OP_WRITE), "a chain that has been refused is tried");
            assertEquals(2 * i, calls.calls("pwrite"));
            assertEquals(i, calls.calls("fdatasync"));
        }
        assertArrayEquals(content(), Files.readAllBytes(directory.resolve("file")));
        calls.failNth("fdatasync", 1, Errno.EIO);
        chain.writeAndForceData(where, ByteBuffer.wrap(content()), 0);
        String message = chain.error(result()).getMessage();
        assertEquals("fdatasync " + file + ": EIO (input/output error); " + SIZE + " bytes were written before, and may"
                + " not be durable", message);
        calls.failNth("pwrite", 1, Errno.ENOSPC);
        chain.writeAndForceData(where, ByteBuffer.wrap(content()), 0);
        message = chain.error(result()).getMessage();
        assertTrue(message.startsWith("pwrite " + file + ": ENOSPC"), message);
    }

    @Test
    void theForceOfAChainThatIsRefusedIsMadeByAThread() throws IOException {
        rewritten.next(IORING_OP_FSYNC, FileRequestTest::refused);
        demultiplexer.newOperation().writeAndForceData(where, ByteBuffer.allocateDirect(10), 0);
        assertEquals(10, result());
        assertEquals(0, calls.calls("pwrite"));
        assertEquals(1, calls.calls("fdatasync"));
    }

    @Test
    void aFileThatTheRingDoesNotOpenIsOpenedByAThread() throws IOException {
        rewritten.next(IORING_OP_OPENAT, FileRequestTest::closedAndRefused);
        Path path = directory.resolve("opened");
        demultiplexer.newOperation().open(path, StandardOpenOption.WRITE, StandardOpenOption.CREATE,
                StandardOpenOption.DELETE_ON_CLOSE);
        int opens = calls.calls("open");
        assertEquals(0, result());
        try (FileHandle opened = completions.get(0).file()) {
            assertEquals(1, calls.calls("open") - opens);
            assertEquals(1, opened.write(ByteBuffer.allocate(1), 0));
            assertFalse(Files.exists(path));
        }
        rewritten.next(IORING_OP_OPENAT, FileRequestTest::closedAndRefused);
        OpenOption[] options = {StandardOpenOption.WRITE, StandardOpenOption.CREATE};
        try (DirectoryHandle folder = DirectoryHandle.open(directory)) {
            demultiplexer.newOperation().open(folder, Path.of("opened"), options, new FileAttribute<?>[0]);
            assertEquals(0, result());
            completions.get(0).file().close();
        }
        assertEquals(1, calls.calls("openat"));
        assertTrue(Files.exists(path));
    }

    @Test
    void aNameThatTheRingDoesNotRemoveIsRemovedByAThread() throws IOException {
        for (int opcode : new int[] {IORING_OP_STATX, IORING_OP_UNLINKAT}) {
            rewritten.next(opcode, FileRequestTest::refused);
            Path path = directory.resolve("opened");
            demultiplexer.newOperation().open(path, StandardOpenOption.WRITE, StandardOpenOption.CREATE,
                    StandardOpenOption.DELETE_ON_CLOSE);
            assertEquals(0, result());
            completions.get(0).file().close();
            assertFalse(Files.exists(path));
        }
    }

    private void assertTransmits() throws Exception {
        assertEquals(SIZE, file.write(ByteBuffer.allocateDirect(SIZE).put(content()).flip(), 0));
        // What the cache has the loop thread would send.
        calls.failEach("preadv2", Errno.EAGAIN);
        try (SocketAcceptor acceptor = SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0));
                SocketStream far = SocketConnector.connect(acceptor.localAddress(), PATIENCE);
                SocketStream near = acceptor.accept(PATIENCE)) {
            ByteBuffer received = ByteBuffer.allocate(SIZE);
            FutureTask<Void> receiver = new FutureTask<>(() -> {
                far.receiveFully(received, PATIENCE);
                return null;
            });
            new Thread(receiver).start();
            demultiplexer.newOperation().transmitFile(demultiplexer.associate(near.handle()), file, 0, SIZE, null,
                    null);
            assertEquals(SIZE, result());
            receiver.get();
            assertEquals(ByteBuffer.wrap(content()), received.flip());
        }
        assertEquals(1, rewritten.submitted(IORING_OP_SPLICE));
    }

    /** Neither a splice nor a read. */
    @Test
    void aFileThatTheRingDoesNotReadIsTransmittedNevertheless() throws Exception {
        rewritten.next(IORING_OP_SPLICE, FileRequestTest::refused).next(IORING_OP_READ, FileRequestTest::refused);
        assertTransmits();
        assertEquals(2, calls.calls("pread"));
    }

    /** A file system without splices refuses them with EINVAL. */
    @Test
    void aFileThatCannotBeSplicedIsRead() throws Exception {
        rewritten.next(IORING_OP_SPLICE, result -> -Errno.EINVAL.number());
        assertTransmits();
        assertEquals(0, calls.calls("pread"));
    }

    // Names that are to be removed

    /** Whatever the kernel makes of the cancellation. */
    @ParameterizedTest
    @ValueSource(ints = {IORING_OP_OPENAT, IORING_OP_STATX, IORING_OP_UNLINKAT})
    void aFileThatIsOpenLosesItsNameEvenIfCancelled(int during) throws IOException {
        Operation open = demultiplexer.newOperation();
        rewritten.next(during, result -> {
            open.cancel();
            return during == IORING_OP_OPENAT ? result : -Errno.ECANCELED.number();
        });
        Path path = directory.resolve("opened");
        open.open(path, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW, StandardOpenOption.DELETE_ON_CLOSE);
        assertEquals(0, result());
        completions.get(0).file().close();
        assertFalse(Files.exists(path));
    }

    @Test
    void aFileThatIsOpenLosesItsNameWhenTheLoopThreadHasEnded() throws Exception {
        rewritten.loseNext(IORING_OP_STATX);
        Path path = directory.resolve("opened");
        FutureTask<Operation> loop = new FutureTask<>(() -> {
            Operation open = demultiplexer.newOperation();
            open.open(path, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.DELETE_ON_CLOSE);
            while (rewritten.submitted(IORING_OP_STATX) == 0) {
                assertEquals(0, demultiplexer.awaitCompletions(completions, 1_000_000));
            }
            return open;
        });
        Thread thread = new Thread(loop, "loop that ends");
        thread.start();
        thread.join();
        Operation open = loop.get();
        assertTrue(Files.exists(path));
        demultiplexer.close();
        assertFalse(open.isInFlight());
        assertFalse(Files.exists(path));
    }

    // Threads

    private List<Operation> forcesThatWait(int count) {
        calls.before("fsync", () -> {
            try {
                go.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        List<Operation> forces = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            rewritten.next(IORING_OP_FSYNC, FileRequestTest::refused);
            Operation force = demultiplexer.newOperation();
            force.force(where);
            forces.add(force);
        }
        return forces;
    }

    /** Waits until the threads of the pool make as many calls. */
    private void awaitCalls(int count) throws IOException {
        while (calls.calls("fsync") < count) {
            assertEquals(0, demultiplexer.awaitCompletions(completions, 1_000_000));
        }
    }

    @Test
    void aCancelledOneThatNoThreadHasTakenCompletesAtOnce() throws IOException {
        int threads = FilePool.configuredThreads();
        List<Operation> forces = forcesThatWait(threads + 1);
        awaitCalls(threads);
        forces.forEach(Operation::cancel);
        long result = result();
        assertTrue(Errno.ECANCELED.is(result), () -> "result " + result);
        go.countDown();
        for (int left = threads; left > 0;) {
            int count = demultiplexer.awaitCompletions(completions, PATIENCE.toNanos());
            for (int i = 0; i < count; i++) {
                assertEquals(0, completions.result(i));
            }
            left -= count;
        }
        assertEquals(threads, calls.calls("fsync"));
    }

    private void takeLock() throws IOException {
        try (Closeable lock = completions.get(0).lock()) {
            assertNotNull(lock);
        }
    }

    /** A thread may signal for a result that the loop, which does not wait, has taken just before. */
    @Test
    void aLateSignalDoesNotStandForTheNext() throws IOException {
        Operation attempt = demultiplexer.newOperation();
        for (int round = 0; round < ROUNDS; round++) {
            attempt.lock(OperationType.TRY_LOCK, where, 0, 1, false);
            int count = 0;
            while (count == 0) {
                count = demultiplexer.awaitCompletions(completions, 0);
            }
            takeLock();
            // Long enough for the signal to arrive while no operation waits for a thread.
            assertEquals(0, demultiplexer.awaitCompletions(completions, SHORT_NANOS));
            attempt.lock(OperationType.TRY_LOCK, where, 0, 1, false);
            assertEquals(0, result());
            takeLock();
        }
    }

    /** The kernel has no request of the operation, but a thread uses its descriptor. */
    @Test
    void aCloseAfterTheEndOfTheLoopThreadWaitsForTheCall() throws Exception {
        FutureTask<Operation> loop = new FutureTask<>(() -> {
            Operation force = forcesThatWait(1).get(0);
            awaitCalls(1);
            return force;
        });
        Thread thread = new Thread(loop, "loop that ends");
        thread.start();
        thread.join();
        Operation force = loop.get();
        FutureTask<Void> close = new FutureTask<>(demultiplexer::close, null);
        Thread closing = new Thread(close, "close");
        closing.start();
        closing.join(20);
        assertTrue(force.isInFlight());
        assertFalse(close.isDone());
        go.countDown();
        close.get();
        closing.join();
        assertFalse(force.isInFlight());
        assertEquals(1, calls.calls("fsync"));
    }
}
