package dev.sluice.demultiplexer.operation;

import static dev.sluice.handle.Bytes.assertBytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.eventloop.HandleSet;
import dev.sluice.handle.Bytes;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.FileOption;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import dev.sluice.handle.spi.Descriptor;
import dev.sluice.handle.spi.Descriptors;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Which parts of files the loop thread sends itself, because the system's cache has them. */
@ParameterizedClass
@MethodSource("demultiplexers")
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class CachedSendTest extends LeakChecked {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /** More than is sent between two polls of the system. */
    private static final int MUCH = 5_000_001;
    private static final int LITTLE = 200_000;
    /** More than the conduit of io_uring holds, and aligned for direct access. */
    private static final int ALIGNED = 128 * 1024;
    private static final String HEAD = "head";
    private static final String TAIL = "tail";
    private static final int CONNECTIONS = 16;
    /** Half of what one call sends at most, and all of that if several threads run the loop. */
    private static final int PIECE = 512 * 1024;
    private static final long ENDLESS = 1L << 40;

    private final byte[] content = Bytes.random(MUCH);
    private final ConcurrentLinkedQueue<Thread> senders = new ConcurrentLinkedQueue<>();

    @TempDir
    private Path directory;
    @Parameter
    private String name;

    private FaultInjection faults;
    private AsynchronousEventDemultiplexer demultiplexer;
    private Completions completions;
    private FileHandle file;
    private SocketStream far;
    private Association near;

    static Stream<String> demultiplexers(TestInfo test) {
        return HandleSet.ofProactors(test).map(HandleSet::demultiplexer);
    }

    @BeforeEach
    void open() throws IOException {
        faults = own(FaultInjection.install());
        demultiplexer = own(OpenedDemultiplexers.openAsynchronous(name));
        completions = own(demultiplexer.newCompletions(8));
        file = own(FileHandle.open(Files.write(directory.resolve("file"), content)));
        near = connect();
    }

    private void watchSenders() {
        faults.before("sendfile", () -> senders.add(Thread.currentThread()));
    }

    private Operation start() {
        Operation operation = demultiplexer.newOperation();
        operation.transmitFile(near, file, 0, MUCH, Bytes.direct(Bytes.of(HEAD)), null);
        return operation;
    }

    private long result() throws IOException {
        assertEquals(1, demultiplexer.awaitCompletions(completions, PATIENCE.toNanos()));
        return completions.result(0);
    }

    private void assertSent() throws Exception {
        FutureTask<byte[]> receiver = receiver(far, HEAD.length() + MUCH);
        start();
        assertEquals(HEAD.length() + MUCH, result());
        byte[] received = receiver.get();
        assertEquals(HEAD, new String(received, 0, HEAD.length()));
        assertBytes(content, Arrays.copyOfRange(received, HEAD.length(), received.length));
    }

    private static FutureTask<byte[]> receiver(SocketStream stream, int count) {
        FutureTask<byte[]> receiver = new FutureTask<>(() -> {
            ByteBuffer received = ByteBuffer.allocate(count);
            stream.receiveFully(received, PATIENCE);
            return received.array();
        });
        new Thread(receiver).start();
        return receiver;
    }

    private long callsOfLoopThread() {
        return senders.stream().filter(thread -> thread == Thread.currentThread()).count();
    }

    /** As on a file system that takes the flag and has all of the file in its cache, whichever the test's is. */
    private void cacheHasAll() {
        faults.returnEach("preadv2", 1);
    }

    @Test
    void loopThreadSendsWhatTheCacheHas() throws Exception {
        watchSenders();
        cacheHasAll();
        assertSent();
        assertTrue(callsOfLoopThread() >= MUCH >> 20, senders.toString());
        assertEquals(senders.size(), callsOfLoopThread());
    }

    @Test
    void noOtherThreadSendsAFileBeforeATail() throws Exception {
        watchSenders();
        cacheHasAll();
        FutureTask<byte[]> receiver = receiver(far, MUCH + TAIL.length());
        demultiplexer.newOperation().transmitFile(near, file, 0, MUCH, null, Bytes.direct(Bytes.of(TAIL)));
        assertEquals(MUCH + TAIL.length(), result());
        byte[] received = receiver.get();
        assertBytes(content, Arrays.copyOf(received, MUCH));
        assertEquals(TAIL, new String(received, MUCH, TAIL.length()));
        assertTrue(callsOfLoopThread() > 0);
        assertEquals(senders.size(), callsOfLoopThread());
    }

    /** Although other connections, which are served before it, take more than the loop thread sends. */
    @Test
    void eachConnectionIsServed() throws Exception {
        cacheHasAll();
        // As if the peers took all bytes at once.
        faults.returnEach("sendfile", PIECE);
        List<Operation> endless = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            endless.add(demultiplexer.newOperation());
            endless.get(i).transmitFile(connect(), file, 0, ENDLESS, null, null);
        }
        Operation last = demultiplexer.newOperation();
        last.transmitFile(near, file, 0, 4 * PIECE, null, null);
        assertEquals(4 * PIECE, result());
        endless.forEach(Operation::cancel);
        endAll();
    }

    private Association connect() throws IOException {
        SocketAcceptor acceptor = own(SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0)));
        far = own(SocketConnector.connect(acceptor.localAddress(), PATIENCE));
        return demultiplexer.associate(own(acceptor.accept(PATIENCE)).handle());
    }

    @Test
    void looksOnceForHeadAndFirstPiece() throws Exception {
        cacheHasAll();
        faults.returnNth("sendfile", 1, 0);
        start();
        assertEquals(HEAD.length(), result());
        assertEquals(3, faults.calls("preadv2"));
    }

    @Test
    void mechanismSendsAPieceWhoseMiddleTheCacheLacks() throws Exception {
        watchSenders();
        faults.returnNth("preadv2", 1, 1).returnNth("preadv2", 2, 1).failEach("preadv2", Errno.EAGAIN);
        assertSent();
        assertEquals(0, callsOfLoopThread());
    }

    @Test
    void mechanismSendsWhatTheCacheLacks() throws Exception {
        watchSenders();
        faults.failEach("preadv2", Errno.EAGAIN);
        assertSent();
        assertEquals(0, callsOfLoopThread());
    }

    @Test
    void mechanismSendsWhatBypassesTheCache() throws Exception {
        watchSenders();
        cacheHasAll();
        FileHandle direct = own(FileHandle.open(directory.resolve("file"), FileOption.DIRECT));
        demultiplexer.newOperation().transmitFile(near, direct, 0, ALIGNED, null, null);
        result();
        assertEquals(0, callsOfLoopThread());
    }

    @Test
    void everyPieceMayBeSentEitherWay() throws Exception {
        watchSenders();
        faults.failNth("preadv2", 4, Errno.EAGAIN).failNth("preadv2", 8, Errno.EAGAIN);
        cacheHasAll();
        assertSent();
        assertTrue(callsOfLoopThread() > 0);
    }

    @Test
    void continuesAfterShortSends() throws Exception {
        cacheHasAll();
        faults.shortenEach("sendfile", 10_000).shortenNth("send", 1, 1);
        assertSent();
    }

    @Test
    void aFileThatCannotBeSentGoesAnotherWay() throws Exception {
        cacheHasAll();
        faults.failEach("sendfile", Errno.EINVAL);
        assertSent();
    }

    @Test
    void reportsAnErrorOfTheDisk() throws Exception {
        cacheHasAll();
        faults.failNth("sendfile", 1, Errno.EIO);
        start();
        assertEquals(-Errno.EIO.number(), result());
    }

    /** The loop thread would announce more, and the end of the head would be sent after 200 ms. */
    @Test
    void kernelSendsAHeadThatNothingFollowsInMemory() throws Exception {
        assumeTrue(name.startsWith("io_uring"), "is of other demultiplexers");
        Path memory = Path.of("/dev/shm");
        assumeTrue(Files.isWritable(memory) && Files.getFileStore(memory).type().equals("tmpfs"), "no tmpfs here");
        Path path = Files.createTempFile(memory, "sluice", "");
        try (FileHandle empty = FileHandle.open(path)) {
            demultiplexer.newOperation().transmitFile(near, empty, 0, MUCH, Bytes.direct(Bytes.of(HEAD)), null);
            assertEquals(HEAD.length(), result());
            assertEquals(0, faults.calls("sendfile"));
        } finally {
            Files.delete(path);
        }
    }

    @Test
    void endsWithTheFile() throws Exception {
        cacheHasAll();
        faults.returnNth("sendfile", 1, 0);
        start();
        assertEquals(HEAD.length(), result());
    }

    /** The peer need not read any more, so the socket may stay full. */
    @Test
    void endsWithTheLastOfManyAttempts() throws Exception {
        fillSocket();
        cacheHasAll();
        faults.returnEach("send", 1).returnEach("sendfile", LITTLE);
        byte[] head = new byte[8];
        demultiplexer.newOperation().transmitFile(near, file, 0, LITTLE, Bytes.direct(head), null);
        assertEquals(head.length + LITTLE, result());
    }

    private void fillSocket() throws IOException {
        Descriptor descriptor = Descriptors.of(near.handle());
        int socket = (int) descriptor.acquire();
        try (MemoryBlock bytes = Bindings.current().memory().allocate(LITTLE)) {
            long sent;
            do {
                sent = Bindings.current().posix().send(socket, bytes.address(), LITTLE, SocketConstants.MSG_NOSIGNAL);
            } while (sent > 0);
            assertEquals(-Errno.EAGAIN.number(), sent);
        } finally {
            descriptor.release();
        }
    }

    @Test
    void isCancelledWhileThePeerDoesNotRead() throws Exception {
        cacheHasAll();
        faults.failEach("sendfile", Errno.EAGAIN);
        Operation operation = start();
        for (int i = 0; i < 3; i++) {
            assertEquals(0, demultiplexer.awaitCompletions(completions, 0));
        }
        assertTrue(faults.calls("sendfile") > 0);
        operation.cancel();
        assertEquals(-Errno.ECANCELED.number(), result());
    }

    /** Each iteration, a write that has just been started uses up a part of what the loop thread copies. */
    @Test
    void sendsBesideWritesThatTheCacheTakes() throws Exception {
        cacheHasAll();
        faults.returnEach("pwritev2", 1);
        FileHandle other = own(FileHandle.open(directory.resolve("other"), StandardOpenOption.CREATE,
                StandardOpenOption.WRITE));
        Association where = demultiplexer.associate(other.handle());
        FutureTask<byte[]> receiver = receiver(far, HEAD.length() + MUCH);
        Operation write = demultiplexer.newOperation();
        Operation transmission = start();
        long begin = System.nanoTime();
        while (transmission.isInFlight()) {
            assertTrue(System.nanoTime() - begin < PATIENCE.toNanos(), "has not been sent");
            if (!write.isInFlight()) {
                write.write(where, Bytes.direct(new byte[1]), 0);
            }
            demultiplexer.awaitCompletions(completions, PATIENCE.toNanos());
            for (int i = 0; i < completions.size(); i++) {
                assertEquals(completions.operation(i) == transmission ? HEAD.length() + MUCH : 1,
                        completions.result(i));
            }
        }
        assertBytes(content, Arrays.copyOfRange(receiver.get(), HEAD.length(), HEAD.length() + MUCH));
        endAll();
    }

    private void endAll() throws IOException {
        while (demultiplexer.inFlight() > 0) {
            demultiplexer.awaitCompletions(completions, PATIENCE.toNanos());
        }
    }

    @Test
    void sendsALittleBetweenTwoPollsIfTheBoundIsSmall() throws Exception {
        System.setProperty(CachedTransfers.BYTES_PROPERTY, "8192");
        try (AsynchronousEventDemultiplexer slow = OpenedDemultiplexers.openAsynchronous(name);
                Completions ofSlow = slow.newCompletions(1)) {
            cacheHasAll();
            Operation operation = slow.newOperation();
            SocketAcceptor acceptor = own(SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0)));
            FutureTask<byte[]> receiver = receiver(own(SocketConnector.connect(acceptor.localAddress(), PATIENCE)),
                    LITTLE);
            operation.transmitFile(slow.associate(own(acceptor.accept(PATIENCE)).handle()), file, 0, LITTLE, null,
                    null);
            assertEquals(1, slow.awaitCompletions(ofSlow, PATIENCE.toNanos()));
            assertEquals(LITTLE, ofSlow.result(0));
            assertBytes(Arrays.copyOf(content, LITTLE), receiver.get());
        } finally {
            System.clearProperty(CachedTransfers.BYTES_PROPERTY);
        }
    }
}
