package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketDatagram;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.Connection;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Cancels futures, and checks what happens to results that their operations still get. */
class FutureCancellationTest extends ProactorContract {

    private static final InetSocketAddress ANY_PORT = new InetSocketAddress("127.0.0.1", 0);
    private static final int MORE_THAN_FITS = 32 * 1024 * 1024;

    @TempDir
    Path directory;

    private void assertCancelled(CompletableFuture<?> future) throws IOException {
        assertTrue(future.cancel(true));
        runUntil(future::isDone);
        assertTrue(future.isCancelled());
        assertThrows(CancellationException.class, future::get);
        assertTrue(future.cancel(true));
    }

    @Test
    void leavesTheBytesToTheNextReceive() throws Exception {
        Connection connection = unix();
        AsyncStream stream = async(connection.near());
        for (boolean begun : new boolean[] {false, true}) {
            ByteBuffer cancelled = ByteBuffer.allocate(8);
            CompletableFuture<Long> receive = stream.receiveFuture(cancelled);
            if (begun) {
                runUntilIdle();
            }
            assertCancelled(receive);
            connection.send("bytes");
            ByteBuffer room = ByteBuffer.allocate(8);
            assertEquals(5, result(stream.receiveFuture(room)));
            assertReceived("bytes", room);
            assertEquals(0, cancelled.position());
        }
    }

    @Test
    void leavesTheBytesToTheNextReceiveAfterATimeLimit() throws Exception {
        Connection connection = unix();
        AsyncStream stream = async(connection.near());
        runInBackground();
        CompletableFuture<Long> receive = stream.receiveFuture(ByteBuffer.allocate(8));
        assertThrows(TimeoutException.class, () -> receive.get(1, TimeUnit.MILLISECONDS));
        receive.cancel(true);
        ByteBuffer room = ByteBuffer.allocate(8);
        CompletableFuture<Long> next = stream.receiveFuture(room);
        OtherThread.await(receive::isDone);
        assertTrue(receive.isCancelled());
        connection.send("bytes");
        assertEquals(5, next.get(LIMIT.toSeconds(), TimeUnit.SECONDS));
        assertReceived("bytes", room);
    }

    @Test
    void leavesTheDatagramToTheNextReceive() throws Exception {
        SocketDatagram socket = own(SocketDatagram.open(ANY_PORT));
        AsyncDatagram datagram = new AsyncDatagram(proactor, socket, recorder);
        CompletableFuture<Long> receive = datagram.receiveFuture(ByteBuffer.allocate(8), null);
        runUntilIdle();
        assertCancelled(receive);
        ByteBuffer room = ByteBuffer.allocate(8);
        CompletableFuture<Long> next = datagram.receiveFuture(room, null);
        assertEquals(4, result(datagram.sendFuture(heap("self"), socket.peer(socket.localAddress()))));
        assertEquals(4, result(next));
        assertReceived("self", room);
    }

    @Test
    void leavesTheConnectionToTheNextAccept() throws Exception {
        SocketAcceptor acceptor = own(SocketAcceptor.open(ANY_PORT));
        AsyncAcceptor accepting = new AsyncAcceptor(proactor, acceptor, recorder);
        CompletableFuture<SocketStream> accept = accepting.acceptFuture();
        runUntilIdle();
        assertCancelled(accept);
        SocketStream far = own(SocketConnector.connect(acceptor.localAddress(), LIMIT));
        SocketStream near = own(result(accepting.acceptFuture()));
        assertEquals(far.localAddress(), near.remoteAddress());
    }

    @Test
    void endsASend() throws Exception {
        Connection connection = unix();
        AsyncStream stream = async(connection.near());
        ByteBuffer source = ByteBuffer.allocateDirect(MORE_THAN_FITS);
        CompletableFuture<Long> send = stream.sendFuture(source);
        CompletableFuture<Long> waiting = stream.sendFuture(heap("never"));
        runUntilIdle();
        assertCancelled(waiting);
        assertCancelled(send);
        // What is on its way counts, and the peer gets exactly that.
        connection.near().shutdownOutput();
        byte[] arrived = new byte[1024 * 1024];
        ByteBuffer room = ByteBuffer.wrap(arrived);
        long sum = 0;
        int count;
        while ((count = receiveSome(connection.far(), room.clear())) > 0) {
            sum += count;
        }
        assertEquals(source.position(), sum);
    }

    private static int receiveSome(SocketStream stream, ByteBuffer room) throws IOException {
        int count;
        do {
            count = stream.receive(room);
        } while (count == 0);
        return count;
    }

    @Test
    void ofAConnectionOrAFileBringsItOrClosesIt() throws Exception {
        SocketAcceptor acceptor = own(SocketAcceptor.open(ANY_PORT));
        for (int iterations = 0; iterations < 4; iterations++) {
            CompletableFuture<SocketStream> connect = proactor.connectFuture(acceptor.localAddress(), LIMIT);
            CompletableFuture<FileHandle> open = proactor.openFileFuture(directory.resolve("file" + iterations),
                    StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            for (int i = 0; i < iterations; i++) {
                proactor.runOnce(Duration.ZERO);
            }
            connect.cancel(true);
            open.cancel(true);
            runUntil(() -> connect.isDone() && open.isDone());
            if (!connect.isCancelled()) {
                connect.join().close();
            }
            if (!open.isCancelled()) {
                open.join().close();
            }
        }
    }

    @Test
    void ofSomeFutureLeavesTheOthersAlone() throws Exception {
        Connection connection = unix();
        AsyncStream stream = async(connection.near());
        CompletableFuture<Long> first = stream.receiveFuture(ByteBuffer.allocate(1));
        connection.send("x");
        assertEquals(1, result(first));
        // The same initiation, most likely.
        CompletableFuture<Long> second = stream.receiveFuture(ByteBuffer.allocate(1));
        assertFalse(first.cancel(true));
        assertFalse(first.isCancelled());
        runUntilIdle();
        assertFalse(second.isDone());
        connection.send("y");
        assertEquals(1, result(second));
    }

    @Test
    void isNotPassedOnByDependentFutures() throws Exception {
        Connection connection = unix();
        AsyncStream stream = async(connection.near());
        CompletableFuture<Long> receive = stream.receiveFuture(ByteBuffer.allocate(1));
        CompletableFuture<Long> dependent = receive.thenApply(count -> count + 1);
        assertTrue(dependent.cancel(true));
        connection.send("x");
        assertEquals(1, result(receive));
    }

    @Test
    void byTimeLeavesTheBytesToTheNextReceive() throws Exception {
        Connection connection = unix();
        AsyncStream stream = async(connection.near());
        CompletableFuture<Long> late = stream.receiveFuture(ByteBuffer.allocate(8))
                .orTimeout(1, TimeUnit.MILLISECONDS);
        runUntil(late::isDone);
        assertTrue(assertThrows(ExecutionException.class, late::get).getCause() instanceof TimeoutException);
        CompletableFuture<Long> replaced = stream.receiveFuture(ByteBuffer.allocate(8))
                .completeOnTimeout(-1L, 1, TimeUnit.MILLISECONDS);
        assertEquals(-1, result(replaced));
        ByteBuffer room = ByteBuffer.allocate(8);
        CompletableFuture<Long> inTime = stream.receiveFuture(room).orTimeout(1, TimeUnit.HOURS);
        connection.send("bytes");
        assertEquals(5, result(inTime));
        assertReceived("bytes", room);
    }

    @Test
    void afterTheCloseDoesNothing() throws Exception {
        AsyncStream stream = async(unix().near());
        CompletableFuture<Long> receive = stream.receiveFuture(ByteBuffer.allocate(1)).orTimeout(1, TimeUnit.HOURS);
        proactor.close();
        assertTrue(receive.isCancelled());
        assertTrue(receive.cancel(true));
        assertThrows(CancellationException.class, receive.orTimeout(1, TimeUnit.MILLISECONDS)::join);
    }

    /** Who completes the future itself gets nothing of the operation, so that a connection has to be closed for it. */
    @Test
    void isAnotherThingThanCompletingTheFuture() throws Exception {
        SocketAcceptor acceptor = own(SocketAcceptor.open(ANY_PORT));
        AsyncAcceptor accepting = new AsyncAcceptor(proactor, acceptor, recorder);
        CompletableFuture<SocketStream> accept = accepting.acceptFuture();
        assertTrue(accept.complete(null));
        SocketStream far = own(SocketConnector.connect(acceptor.localAddress(), LIMIT));
        assertEquals(-1, result(async(far).receiveFuture(ByteBuffer.allocate(1))));
        assertNull(accept.join());
        // Now no accept waits for the connection any more, and the next one gets it.
        CompletableFuture<SocketStream> cancelled = accepting.acceptFuture();
        assertTrue(cancelled.complete(null));
        runUntilIdle();
        assertFalse(cancelled.cancel(true));
        CompletableFuture<SocketStream> next = accepting.acceptFuture();
        SocketStream other = own(SocketConnector.connect(acceptor.localAddress(), LIMIT));
        assertEquals(other.localAddress(), own(result(next)).remoteAddress());
    }

    @Test
    void byAnotherThreadEndsTheWaitOfTheLoop() throws Exception {
        AsyncStream stream = async(unix().near());
        runInBackground();
        for (int i = 0; i < 200; i++) {
            CompletableFuture<Long> receive = stream.receiveFuture(ByteBuffer.allocate(1));
            receive.cancel(true);
            OtherThread.await(receive::isDone);
            assertTrue(receive.isCancelled());
        }
    }
}
