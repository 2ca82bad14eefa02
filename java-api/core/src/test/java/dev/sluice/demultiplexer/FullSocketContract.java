package dev.sluice.demultiplexer;

import static dev.sluice.handle.Bytes.assertBytes;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.handle.Bytes;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.FileHandle;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The peer does not receive and the socket is full: sends and transmits sleep until it is writable. */
abstract class FullSocketContract extends OperationContract {

    private static final int MUCH = 2 * 1024 * 1024;
    private static final int A_STAGE = 60_000;
    private static final long A_WHILE = TimeUnit.MILLISECONDS.toNanos(60);
    private static final long QUIET = TimeUnit.MILLISECONDS.toNanos(20);
    /** System calls of a wait that times out. */
    private static final int CALLS_OF_A_WAIT = 2;
    /** TCP may take a few more bytes after a while, because it probes the peer's window. */
    private static final int A_FEW_CALLS = 20;

    private FaultInjection calls;

    FullSocketContract(AsynchronousMechanism mechanism) {
        super(mechanism);
    }

    @Override
    AsynchronousEventDemultiplexer open() throws IOException {
        // A demultiplexer keeps the binding that it was opened with.
        calls = calls == null ? FaultInjection.install() : calls;
        return super.open();
    }

    @AfterEach
    final void stopCounting() {
        calls.close();
    }

    /** {@return one kind, which differs from test to test} */
    static Stream<StreamKind> oneKind(TestInfo test) {
        return Depth.some(test, StreamKind.here(), 1);
    }

    private void assertSleeps() throws IOException {
        long before;
        long start = System.nanoTime();
        // TCP frees space in small pieces until it has probed the peer's window.
        do {
            assertTrue(System.nanoTime() - start < PATIENCE.toNanos(), "system calls all the time");
            before = calls.calls();
            collect(QUIET);
        } while (calls.calls() - before > CALLS_OF_A_WAIT);
        before = calls.calls();
        start = System.nanoTime();
        while (System.nanoTime() - start < A_WHILE) {
            collect(A_WHILE);
        }
        long count = calls.calls() - before;
        assertTrue(count < A_FEW_CALLS, () -> count + " system calls while the socket is full");
    }

    @ParameterizedTest
    @MethodSource("oneKind")
    void theRestOfAFileWaitsAsleep(StreamKind kind) throws Exception {
        byte[] content = Bytes.random(MUCH);
        FileHandle file = own(FileHandle.open(Files.write(directory.resolve("file"), content)));
        StreamPair pair = Peer.narrow(pair(kind));
        Association where = associate(pair.near());
        Flight transmit = start(o -> o.transmitFile(where, file, 0, MUCH, null, null));
        assertSleeps();
        assertFalse(transmit.isDone());
        Future<byte[]> receiver = inBackground(() -> Peer.receive(pair.far(), MUCH));
        assertResult(MUCH, transmit);
        assertBytes(content, finish(receiver));
    }

    /** On some systems short files are sent differently from long ones. */
    @ParameterizedTest
    @MethodSource("oneKind")
    void transmitOfAShortFileSleepsWhileTheSocketIsFull(StreamKind kind) throws Exception {
        byte[] content = Bytes.random(A_STAGE);
        FileHandle file = own(FileHandle.open(Files.write(directory.resolve("file"), content)));
        StreamPair pair = Peer.narrow(pair(kind));
        int before = Peer.fill(pair);
        Association where = associate(pair.near());
        Flight transmit = start(o -> o.transmitFile(where, file, 0, content.length, null, null));
        assertSleeps();
        assertFalse(transmit.isDone());
        Peer.receive(pair.far(), before);
        assertResult(content.length, transmit);
        assertBytes(content, Peer.receive(pair.far(), content.length));
    }

    @ParameterizedTest
    @MethodSource("oneKind")
    void transmitOfAHeadSleepsWhileTheSocketIsFull(StreamKind kind) throws Exception {
        byte[] content = Bytes.random(A_STAGE);
        FileHandle file = own(FileHandle.open(Files.write(directory.resolve("file"), content)));
        StreamPair pair = Peer.narrow(pair(kind));
        int before = Peer.fill(pair);
        Association where = associate(pair.near());
        Flight transmit = start(o -> o.transmitFile(where, file, 20, A_STAGE - 40, ByteBuffer.wrap(content, 0, 20),
                ByteBuffer.wrap(content, A_STAGE - 20, 20)));
        assertSleeps();
        assertFalse(transmit.isDone());
        Peer.receive(pair.far(), before);
        assertResult(content.length, transmit);
        assertBytes(content, Peer.receive(pair.far(), content.length));
    }

    @ParameterizedTest
    @MethodSource("oneKind")
    void theRestOfATailWaitsAsleep(StreamKind kind) throws Exception {
        byte[] content = Bytes.random(MUCH);
        FileHandle file = own(FileHandle.open(Files.write(directory.resolve("file"), content)));
        StreamPair pair = Peer.narrow(pair(kind));
        Association where = associate(pair.near());
        Flight transmit = start(o -> o.transmitFile(where, file, 20, 20, ByteBuffer.wrap(content, 0, 20),
                Bytes.direct(content).position(40)));
        assertSleeps();
        assertFalse(transmit.isDone());
        Future<byte[]> receiver = inBackground(() -> Peer.receive(pair.far(), MUCH));
        assertResult(MUCH, transmit);
        assertBytes(content, finish(receiver));
    }

    @ParameterizedTest
    @MethodSource("oneKind")
    void theRestOfASendWaitsAsleep(StreamKind kind) throws Exception {
        byte[] content = Bytes.random(MUCH);
        StreamPair pair = Peer.narrow(pair(kind));
        Association where = associate(pair.near());
        ByteBuffer[] halves = {Bytes.direct(content).limit(MUCH / 2), ByteBuffer.wrap(content, MUCH / 2, MUCH / 2)};
        Flight send = start(o -> o.send(where, halves, 0, 2, true));
        assertSleeps();
        assertFalse(send.isDone());
        Future<byte[]> receiver = inBackground(() -> Peer.receive(pair.far(), MUCH));
        assertResult(MUCH, send);
        assertBytes(content, finish(receiver));
    }
}
