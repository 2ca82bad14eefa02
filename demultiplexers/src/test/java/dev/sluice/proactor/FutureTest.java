package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.eventloop.LoopRunner;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.PeerAddress;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketDatagram;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.Connection;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FutureTest extends ProactorContract {

    private static final InetSocketAddress ANY_PORT = new InetSocketAddress("127.0.0.1", 0);

    @TempDir
    Path directory;

    private IOException failure(CompletableFuture<?> future) throws IOException {
        runUntil(future::isDone);
        return (IOException) assertThrows(ExecutionException.class, future::get).getCause();
    }

    private void assertCancelled(CompletableFuture<?> future) throws IOException {
        runUntil(future::isDone);
        assertThrows(CancellationException.class, future::get);
        assertTrue(future.isCancelled());
        // Newer versions of Java say something else in what get() throws.
        String message = future.handle((value, cause) -> cause.getMessage()).join();
        assertTrue(message.contains("ECANCELED"), message);
    }

    @Test
    void hookDoesNotWaitForWhatOnlyItsThreadCompletes() throws Exception {
        Connection connection = tcp();
        AsyncStream stream = async(connection.near());
        CompletableFuture<Long> received = stream.receiveFuture(ByteBuffer.allocate(1));
        // On others another thread may run the loop, and complete it.
        if (!proactor.demultiplexer.isMultiThreaded()) {
            List<Throwable> thrown = new ArrayList<>();
            proactor.execute(() -> {
                thrown.add(assertThrows(IllegalStateException.class, received::get));
                thrown.add(assertThrows(IllegalStateException.class, () -> received.get(1, TimeUnit.DAYS)));
                thrown.add(assertThrows(IllegalStateException.class, received::join));
            });
            runUntil(() -> thrown.size() == 3);
            assertTrue(thrown.get(0).getMessage().contains("whenComplete"), thrown.get(0)::getMessage);
            assertFalse(received.isDone());
        }
        connection.send("x");
        assertEquals(1, result(received));
        AtomicLong again = new AtomicLong();
        proactor.execute(() -> again.set(received.join()));
        runUntil(() -> again.get() == 1);
    }

    @Test
    void ofStreamsSucceed() throws Exception {
        Connection connection = unix();
        AsyncStream stream = async(connection.near());
        assertEquals(5, result(stream.sendFuture(heap("hello"))));
        assertEquals(4, result(stream.sendFuture(new ByteBuffer[] {heap("ab"), heap("cd")}, 0, 2)));
        ByteBuffer room = ByteBuffer.allocate(8);
        connection.send("answer");
        assertEquals(6, result(stream.receiveFuture(room)));
        assertReceived("answer", room);
        try (FileHandle file = result(proactor.openFileFuture(directory.resolve("file"), StandardOpenOption.CREATE,
                StandardOpenOption.READ, StandardOpenOption.WRITE))) {
            file.write(heap("of a file"), 0);
            assertEquals(4, result(stream.transmitFileFuture(file, 5, 100, null, null)));
        }
        assertNull(result(stream.shutdownOutputFuture()));
        assertEquals("helloabcdfile", receive(connection, 13));
        assertFalse(connection.far().receiveFully(ByteBuffer.allocate(1), LIMIT));
        connection.far().close();
        assertEquals(-1, result(stream.receiveFuture(room)));
        assertNull(result(stream.closeFuture()));
        assertFalse(stream.handle().isOpen());
        assertEquals(List.of(), recorder.results());
    }

    @Test
    void ofConnectionsSucceed() throws Exception {
        SocketAcceptor acceptor = own(SocketAcceptor.open(ANY_PORT));
        AsyncAcceptor accepting = new AsyncAcceptor(proactor, acceptor, recorder);
        CompletableFuture<SocketStream> accepted = accepting.acceptFuture();
        CompletableFuture<SocketStream> connected = proactor.connectFuture(acceptor.localAddress(), LIMIT);
        SocketStream near = own(result(accepted));
        SocketStream far = own(result(connected));
        assertEquals(near.localAddress(), far.remoteAddress());
    }

    @Test
    void ofDatagramsAndFilesSucceed() throws Exception {
        SocketDatagram one = own(SocketDatagram.open(ANY_PORT));
        AsyncDatagram datagram = new AsyncDatagram(proactor, one, recorder);
        ByteBuffer room = ByteBuffer.allocate(8);
        PeerAddress sender = new PeerAddress();
        CompletableFuture<Long> received = datagram.receiveFuture(room, sender);
        assertEquals(4, result(datagram.sendFuture(heap("self"), one.peer(one.localAddress()))));
        assertEquals(4, result(received));
        assertEquals(one.localAddress(), sender.toSocketAddress());
        FileHandle handle = own(result(proactor.openFileFuture(directory.resolve("file"), StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ, StandardOpenOption.WRITE)));
        AsyncFile file = new AsyncFile(proactor, handle, recorder);
        assertEquals(7, result(file.writeFuture(heap("content"), 0)));
        assertNull(result(file.forceFuture()));
        assertNull(result(file.forceDataFuture()));
        assertEquals(4, result(file.readFuture(room.clear(), 3)));
        assertReceived("tent", room);
    }

    @Tag(CalledSystem.NOT_WINDOWS)
    @Test
    void fail() throws Exception {
        Connection connection = unix();
        AsyncStream stream = async(connection.near());
        connection.far().close();
        assertEquals("send " + stream + ": EPIPE (broken pipe)", failure(stream.sendFuture(heap("x"))).getMessage());
        Path missing = directory.resolve("missing");
        assertEquals("open " + missing + ": ENOENT (no such file or directory)",
                failure(proactor.openFileFuture(missing, StandardOpenOption.READ)).getMessage());
        IOException refused = failure(proactor.connectFuture(UnixDomainSocketAddress.of(missing), LIMIT));
        assertTrue(refused.getMessage().contains("ENOENT"), refused::getMessage);
        assertInstanceOf(UnknownHostException.class, failure(proactor.connectFuture(
                InetSocketAddress.createUnresolved("unknown.invalid", 7), LIMIT)));
    }

    @Test
    void areCancelledWithTheirOperations() throws Exception {
        Connection connection = unix();
        AsyncStream stream = async(connection.near());
        CompletableFuture<Long> one = stream.receiveFuture(ByteBuffer.allocate(1));
        CompletableFuture<Long> two = stream.receiveFuture(ByteBuffer.allocate(1));
        stream.cancel();
        assertCancelled(one);
        assertCancelled(two);
        CompletableFuture<Long> three = stream.receiveFuture(ByteBuffer.allocate(1));
        stream.close();
        assertCancelled(three);
        AsyncAcceptor acceptor = new AsyncAcceptor(proactor, own(SocketAcceptor.open(ANY_PORT)), recorder);
        CompletableFuture<SocketStream> accepted = acceptor.acceptFuture();
        runUntilIdle();
        proactor.close();
        assertTrue(accepted.isDone());
        assertThrows(CancellationException.class, accepted::get);
        assertThrows(IllegalStateException.class, () -> stream.receiveFuture(ByteBuffer.allocate(1)));
    }

    @Test
    void areCompletedByTheLoopThread() throws Exception {
        Connection connection = unix();
        AsyncStream stream = async(connection.near());
        LoopRunner loop = runInBackground();
        Thread[] completing = new Thread[1];
        CompletableFuture<Void> done = stream.receiveFuture(ByteBuffer.allocate(1))
                .thenAccept(count -> completing[0] = Thread.currentThread());
        connection.send("x");
        done.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertSame(loop.thread(), completing[0]);
    }

    @Test
    void mayStartTheNextOperationWhenTheyAreCompleted() throws Exception {
        Connection connection = unix();
        AsyncStream stream = async(connection.near());
        ByteBuffer room = ByteBuffer.allocate(8);
        CompletableFuture<Long> echoed = stream.receiveFuture(room)
                .thenCompose(count -> stream.sendFuture(room.flip()));
        connection.send("echo");
        assertEquals(4, result(echoed));
        assertEquals("echo", receive(connection, 4));
    }
}
