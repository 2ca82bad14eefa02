package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.connection.Connections;
import dev.sluice.connection.ListenOptions;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.demultiplexer.RetainedBuffer;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.Bytes;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SystemCallException;
import dev.sluice.testing.Depth;
import dev.sluice.timer.Timer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The life of a connection, with peers of every kind. */
@Tag(Depth.IN_QUICK)
class StreamHandlerTest extends StreamContract {

    /** When nothing has come in so many runs of the loop, nothing will. */
    private static final int CALM_RUNS = 20;
    private static final Duration INTERVAL = Duration.ofMillis(5);
    private static final int MANY = 64 * 1024;

    // From the beginning to the end

    @Test
    void hooksAreCalledFromTheFirstToTheLast() throws Exception {
        Socket peer = connect();
        peer.getOutputStream().write(Bytes.of("hello"));
        runUntil(() -> handler.count() == 5);
        assertEquals("hello", new String(handler.bytes()));
        assertEquals(5, handler.stream.receivedBytes());
        assertEquals(peer.getLocalSocketAddress(), handler.stream.remoteAddress());
        assertTrue(handler.stream.isConnected());
        peer.shutdownOutput();
        runUntilClosed();
        assertEquals(List.of("opened", "received", "ended", "closed"), handler.hooks());
        assertEquals(-1, peer.getInputStream().read());
        assertTrue(handler.stream.output().endCause().isEmpty());
    }

    @Test
    void nothingIsReceivedAfterAClose() throws Exception {
        handler.onReceived((stream, buffer) -> {
            handler.take(buffer.bytes());
            stream.close();
        });
        Socket peer = connect();
        peer.getOutputStream().write(1);
        runUntilClosed();
        assertEquals(List.of("opened", "received", "closed"), handler.hooks());
    }

    @Test
    void closesInTheFirstHook() throws Exception {
        handler.on("opened", AsyncStream::close);
        Socket peer = connect();
        runUntilClosed();
        assertEquals(List.of("opened", "closed"), handler.hooks());
        assertEquals(-1, peer.getInputStream().read());
    }

    @Test
    void closeOfTheHandleEndsTheConnectionWhateverIsInFlight() throws Exception {
        connect();
        handler.on("opened", AsyncStream::pauseInput);
        runUntil(() -> handler.hasCalled("opened"));
        OtherThread.run(() -> handler.stream.handle().close());
        runUntilClosed();
        assertNull(handler.failure);
    }

    @Test
    void resetEndsTheConnectionAsItsFailure() throws Exception {
        Socket peer = connect();
        runUntil(() -> handler.hasCalled("opened"));
        peer.setSoLinger(true, 0);
        peer.close();
        runUntilClosed();
        assertEquals(List.of("opened", "failed", "closed"), handler.hooks());
        assertEquals("ECONNRESET", ((SystemCallException) handler.failure).errorName());
        assertSame(handler.failure, handler.stream.output().endCause().orElseThrow());
        assertFalse(handler.stream.send(ByteBuffer.allocate(1)));
    }

    @Test
    void whateverAHookThrowsEndsItsConnectionAlone() throws Exception {
        List<NotingHandler> handlers = new ArrayList<>();
        AsyncAcceptor acceptor = AsyncAcceptor.listen(proactor, ANY_PORT, () -> {
            NotingHandler next = new NotingHandler();
            handlers.add(next);
            return next;
        });
        Socket first = connect(acceptor);
        runUntil(() -> handlers.size() == 1);
        Socket second = connect(acceptor);
        runUntil(() -> handlers.size() == 2);
        Error thrown = new Error("thrown by a test");
        handlers.get(0).onReceived((stream, buffer) -> {
            throw thrown;
        });
        first.getOutputStream().write(1);
        runUntil(handlers.get(0)::isClosed);
        assertSame(thrown, handlers.get(0).failure);
        assertEquals(OperationType.RECEIVE_CONTINUOUSLY, handlers.get(0).failed);
        second.getOutputStream().write(1);
        runUntil(() -> handlers.get(1).count() == 1);
    }

    @Test
    void whatTheFirstHookThrowsClosesTheConnection() throws Exception {
        handler.on("opened", stream -> {
            throw new IOException("thrown by a test");
        });
        Socket peer = connect();
        runUntilClosed();
        assertEquals(List.of("opened", "failed", "closed"), handler.hooks());
        assertEquals(-1, peer.getInputStream().read());
    }

    @Test
    void whatTheLastHookThrowsIsLogged() throws Exception {
        handler.on("closed", stream -> {
            throw new IllegalStateException("thrown by a test");
        });
        connect().close();
        runUntilClosed();
    }

    @Test
    void closesWhenAllHasBeenSentAndThePeerHasEnded() throws Exception {
        byte[] much = Bytes.random(4 << 20);
        handler.on("opened", stream -> {
            stream.send(ByteBuffer.wrap(much));
            stream.closeWhenSent();
        });
        Socket peer = connect();
        OtherThread<byte[]> reader = read(peer);
        peer.getOutputStream().write(1);
        runUntil(() -> handler.hasCalled("opened"));
        runUntil(() -> handler.stream.sentBytes() == much.length);
        Bytes.assertBytes(much, reader.result());
        peer.close();
        runUntilClosed();
        assertEquals(List.of("opened", "closed"), handler.hooks());
    }

    @Test
    void closesAfterAWhileIfThePeerDoesNotEnd() throws Exception {
        handler.on("opened", AsyncStream::closeWhenSent);
        Socket peer = connect();
        runUntilClosed();
        assertEquals(-1, peer.getInputStream().read());
    }

    @Test
    void connectionWithBothOutputsShutDownClosesItself() throws Exception {
        handler.on("ended", stream -> stream.output().shutdownWhenSent());
        Socket peer = connect();
        peer.shutdownOutput();
        runUntilClosed();
        assertEquals(-1, peer.getInputStream().read());
    }

    @Test
    void sendsAfterThePeerHasEnded() throws Exception {
        handler.on("ended", stream -> {
            stream.send(ByteBuffer.wrap(Bytes.of("rest")));
            stream.closeWhenSent();
        });
        Socket peer = connect();
        peer.shutdownOutput();
        runUntilClosed();
        assertEquals("rest", new String(peer.getInputStream().readAllBytes()));
    }

    // Back-pressure

    /** Sends, and runs the loop, until the connection takes no more. */
    private void writeUntilFull(SocketChannel peer, ByteBuffer bytes) throws IOException {
        peer.configureBlocking(false);
        for (int calm = 0; calm < CALM_RUNS; calm++) {
            while (peer.write(bytes) > 0) {
                calm = 0;
            }
            runUntilIdle();
        }
        peer.configureBlocking(true);
    }

    /** Sends in another thread what is left, and then ends the output. */
    private static OtherThread<Void> writeRest(SocketChannel peer, ByteBuffer rest) {
        return OtherThread.start(() -> {
            while (rest.hasRemaining()) {
                peer.write(rest);
            }
            peer.shutdownOutput();
            return null;
        });
    }

    @Test
    void peerThatDoesNotReadIsNotReadFrom() throws Exception {
        handler.onReceived(AsyncStream::send);
        byte[] much = Bytes.random(24 << 20);
        try (SocketChannel peer = SocketChannel.open(listen().localAddress())) {
            ByteBuffer rest = ByteBuffer.wrap(much);
            writeUntilFull(peer, rest);
            assertTrue(rest.hasRemaining(), "everything is taken in");
            assertTrue(handler.stream.output().isAboveHighWatermark());
            OtherThread<Void> writer = writeRest(peer, rest);
            OtherThread<byte[]> reader = read(peer.socket());
            runUntilClosed();
            writer.result();
            Bytes.assertBytes(much, reader.result());
        }
    }

    @Test
    void pausedInputIsKeptUntilItIsResumed() throws Exception {
        byte[] much = Bytes.random(8 << 20);
        handler.on("opened", AsyncStream::pauseInput);
        try (SocketChannel peer = SocketChannel.open(listen().localAddress())) {
            ByteBuffer rest = ByteBuffer.wrap(much);
            writeUntilFull(peer, rest);
            assertEquals(0, handler.count());
            assertTrue(handler.stream.receivedBytes() < much.length, "everything is taken in");
            OtherThread<Void> writer = writeRest(peer, rest);
            for (int i = 0; i < 5; i++) {
                handler.stream.loop().execute(handler.stream::resumeInput);
                runUntilIdle();
                handler.stream.loop().execute(handler.stream::pauseInput);
                runUntilIdle();
            }
            handler.stream.loop().execute(handler.stream::resumeInput);
            runUntilClosed();
            writer.result();
            Bytes.assertBytes(much, handler.bytes());
        }
    }

    @Test
    void heldBuffersMayBeRetainedAndSent() throws Exception {
        byte[] much = Bytes.random(2 << 20);
        List<RetainedBuffer> retained = new ArrayList<>();
        handler.onReceived((stream, buffer) -> {
            handler.take(buffer.bytes().duplicate());
            if (stream.sentBytes() == 0) {
                stream.pauseInput();
            }
            retained.add(buffer.retain());
            if (retained.size() == 3) {
                retained.forEach(stream::send);
                retained.clear();
            }
        }).on("ended", stream -> {
            retained.forEach(stream::send);
            stream.closeWhenSent();
        });
        Socket peer = connect();
        OtherThread<Void> writer = write(peer, much);
        OtherThread<byte[]> reader = read(peer);
        runUntil(() -> handler.count() > 0);
        while (!handler.isClosed()) {
            runUntilIdle();
            handler.stream.loop().execute(handler.stream::resumeInput);
            runUntil(() -> true);
        }
        runUntilClosed();
        writer.result();
        Bytes.assertBytes(much, reader.result());
    }

    @Test
    void hookThatRunsTheLoopIsNotCalledInTheMeantimeWithWhatWasHeld() throws Exception {
        proactor = own(Proactor.builder().demultiplexer(demultiplexer).buffers(256, 1024).open());
        byte[] sent = Bytes.random(MANY, 1);
        handler.onReceived((stream, buffer) -> {
            boolean isFirst = handler.count() == 0;
            if (isFirst) {
                stream.pauseInput();
            } else {
                stream.resumeInput();
                proactor.runOnce(Duration.ZERO);
            }
            handler.take(buffer.bytes());
        });
        Socket peer = connect();
        peer.getOutputStream().write(sent);
        runUntil(() -> handler.count() > 0 && handler.stream.receivedBytes() >= handler.count() + 2048);
        handler.stream.loop().execute(handler.stream::resumeInput);
        runUntil(() -> handler.count() == MANY || handler.failure != null);
        assertNull(handler.failure);
        assertEquals(1, handler.maxAtOnce);
        Bytes.assertBytes(sent, handler.bytes());
    }

    @Test
    void largeSendIsSeenToProceed() throws Exception {
        ByteBuffer large = ByteBuffer.allocateDirect(32 << 20);
        boolean[] returned = new boolean[1];
        handler.on("opened", stream -> stream.output().send(large, () -> returned[0] = true));
        Socket peer = connect();
        CountDownLatch proceeds = new CountDownLatch(1);
        OtherThread<Integer> reader = OtherThread.start(() -> {
            int half = peer.getInputStream().readNBytes(16 << 20).length;
            OtherThread.await(proceeds);
            return half + peer.getInputStream().readNBytes(16 << 20).length;
        });
        runUntil(() -> handler.hasCalled("opened") && handler.stream.sentBytes() > 0);
        assertFalse(returned[0]);
        proceeds.countDown();
        runUntil(() -> returned[0]);
        assertEquals(large.capacity(), reader.result());
        assertEquals(large.capacity(), handler.stream.sentBytes());
        assertEquals(large.capacity(), large.limit());
        assertFalse(large.hasRemaining());
    }

    @Test
    void outputBeyondTheLimitEndsTheConnection() throws Exception {
        handler.on("opened", stream -> {
            stream.output().watermarks(1, 1000).limit(100_000);
            while (stream.send(ByteBuffer.allocate(10_000))) {
                assertTrue(stream.output().unsentBytes() <= 110_000);
            }
        });
        connect();
        runUntilClosed();
        assertEquals(List.of("failed", "opened", "closed"), handler.hooks());
        assertEquals("OutputLimitException", handler.failure.getClass().getSimpleName());
    }

    // Time

    @Test
    void silentConnectionIsIdle() throws Exception {
        handler.on("opened", stream -> stream.idleTimeout(Interest.READ, SHORT));
        Socket peer = connect();
        long begin = System.nanoTime();
        runUntilClosed();
        assertTrue(System.nanoTime() - begin >= SHORT.toNanos());
        assertEquals(List.of("opened", "idle READ", "closed"), handler.hooks());
        assertEquals(-1, peer.getInputStream().read());
    }

    @Test
    void connectionThatReceivesIsNotIdle() throws Exception {
        handler.on("opened", stream -> stream.idleTimeout(Interest.READ_WRITE, SHORT));
        Socket peer = connect();
        Timer sender = proactor.schedule(token -> peer.getOutputStream().write(1), null, Duration.ZERO, INTERVAL);
        runUntil(() -> handler.count() == 2 * SHORT.toNanos() / INTERVAL.toNanos());
        sender.cancel();
        assertEquals(List.of("opened", "received"), handler.hooks());
        handler.stream.loop().execute(() -> handler.stream.idleTimeout(Interest.READ_WRITE, Duration.ZERO));
        runUntilIdle();
    }

    // Threads

    @Test
    void otherThreadsSendInTheirOrder() throws Exception {
        Socket peer = connect();
        runUntil(() -> handler.hasCalled("opened"));
        int threads = 4;
        int each = 10_000;
        List<OtherThread<Void>> senders = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            byte own = (byte) i;
            senders.add(OtherThread.start(() -> {
                for (int number = 0; number < each; number++) {
                    ByteBuffer frame = ByteBuffer.allocate(5).put(own).putInt(number).flip();
                    assertTrue(handler.stream.send(frame));
                }
                return null;
            }));
        }
        OtherThread<byte[]> reader = OtherThread.start(() -> peer.getInputStream().readNBytes(threads * each * 5));
        runUntil(() -> handler.stream.sentBytes() == threads * each * 5);
        for (OtherThread<Void> sender : senders) {
            sender.result();
        }
        ByteBuffer all = ByteBuffer.wrap(reader.result());
        int[] next = new int[threads];
        while (all.hasRemaining()) {
            int of = all.get();
            assertEquals(next[of]++, all.getInt());
        }
    }

    @Test
    void onlyTheLoopThreadPauses() throws Exception {
        connect();
        runUntil(() -> handler.hasCalled("opened"));
        OtherThread.run(() -> {
            IllegalStateException thrown = assertThrows(IllegalStateException.class, handler.stream::pauseInput);
            assertTrue(thrown.getMessage().startsWith("pauseInput: only the loop thread"), thrown::getMessage);
            assertTrue(thrown.getMessage().contains("use loop().execute(...)"), thrown::getMessage);
        });
    }

    // Misuse

    @Test
    void buffersAreTheHandlersUntilItReturns() throws Exception {
        AtomicReference<ProvidedBuffer> late = new AtomicReference<>();
        AtomicReference<RetainedBuffer> released = new AtomicReference<>();
        handler.onReceived((stream, buffer) -> {
            handler.take(buffer.bytes());
            if (late.get() == null) {
                late.set(buffer);
            } else {
                released.set(buffer.retain());
                assertThrows(IllegalStateException.class, buffer::retain);
                assertThrows(IllegalStateException.class, buffer::bytes);
                assertNotNull(released.get().bytes());
                released.get().close();
            }
        });
        Socket peer = connect();
        peer.getOutputStream().write(1);
        runUntil(() -> handler.count() == 1);
        runUntilIdle();
        runUntilIdle();
        IllegalStateException thrown = assertThrows(IllegalStateException.class, late.get()::retain);
        assertEquals("retain: the buffer was released when received() returned; call retain() inside the hook",
                thrown.getMessage());
        assertThrows(IllegalStateException.class, late.get()::bytes);
        peer.getOutputStream().write(1);
        runUntil(() -> handler.count() == 2);
        assertEquals("close: the buffer has been closed or sent before; close or send a retained buffer once",
                assertThrows(IllegalStateException.class, released.get()::close).getMessage());
        assertEquals("bytes: the buffer has been closed or sent before; close or send a retained buffer once",
                assertThrows(IllegalStateException.class, released.get()::bytes).getMessage());
    }

    @Test
    void sendAfterTheOwnCloseIsAMistake() throws Exception {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        handler.on("opened", stream -> {
            stream.closeWhenSent();
            thrown.set(assertThrows(IllegalStateException.class, () -> stream.send(ByteBuffer.allocate(1))));
        });
        connect().close();
        runUntilClosed();
        assertTrue(thrown.get().getMessage().startsWith("send: closeWhenSent() was called before; send first"),
                thrown.get()::getMessage);
    }

    @Test
    void sendAfterTheDefaultEndIsNone() throws Exception {
        AtomicReference<Boolean> accepted = new AtomicReference<>();
        handler.on("ended", stream -> {
            new StreamHandler() {
                @Override
                public void received(AsyncStream unused, ProvidedBuffer buffer) {
                }
            }.ended(stream);
            accepted.set(stream.send(ByteBuffer.allocate(1)));
        });
        connect().shutdownOutput();
        runUntilClosed();
        assertEquals(false, accepted.get());
    }

    @Test
    void singleOperationsAndConnectionsAreApart() throws Exception {
        Socket peer = connect();
        runUntil(() -> handler.hasCalled("opened"));
        assertThrows(IllegalStateException.class, () -> handler.stream.receive(ByteBuffer.allocate(1), null));
        assertThrows(IllegalStateException.class, () -> handler.stream.receiveFuture(ByteBuffer.allocate(1)));
        AsyncStream single = async(tcp().near());
        assertThrows(IllegalStateException.class, single::output);
        assertThrows(IllegalStateException.class, () -> single.send(ByteBuffer.allocate(1)));
        peer.close();
        runUntilClosed();
    }

    @Test
    void factoryThatReturnsNullClosesItsConnection() throws Exception {
        Socket peer = connect(AsyncAcceptor.listen(proactor, ANY_PORT, () -> null));
        runInBackground();
        assertEquals(-1, peer.getInputStream().read());
    }

    // Connecting

    @Test
    void connectsAndSendsWhatWasQueued() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            OtherThread<String> peer = OtherThread.start(() -> {
                try (Socket accepted = server.accept()) {
                    String text = new String(accepted.getInputStream().readNBytes(5));
                    accepted.getOutputStream().write(Bytes.of("bye"));
                    return text;
                }
            });
            AsyncStream stream = AsyncStream.connect(proactor, server.getLocalSocketAddress(), LIMIT, handler);
            stream.send(ByteBuffer.wrap(Bytes.of("hello")));
            assertFalse(stream.isConnected());
            assertTrue(handler.hooks().isEmpty());
            runUntilClosed();
            assertEquals("hello", peer.result());
            assertEquals("bye", new String(handler.bytes()));
            assertSame(stream, handler.stream);
            assertEquals(List.of("opened", "received", "ended", "closed"), handler.hooks());
        }
    }

    private static InetSocketAddress unused() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return (InetSocketAddress) server.getLocalSocketAddress();
        }
    }

    @Test
    void refusedConnectionFailsAndIsClosed() throws Exception {
        InetSocketAddress address = unused();
        AsyncStream stream = AsyncStream.connect(proactor, address, LIMIT, handler);
        stream.send(ByteBuffer.allocate(3));
        assertTrue(handler.hooks().isEmpty());
        runUntilClosed();
        assertEquals(List.of("failed", "closed"), handler.hooks());
        assertEquals(OperationType.CONNECT, handler.failed);
        assertEquals("ECONNREFUSED", ((SystemCallException) handler.failure).errorName());
        assertEquals(address, stream.remoteAddress());
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void connectionThatIsNotEstablishedInTimeFails() throws Exception {
        SocketAcceptor full = own(SocketAcceptor.unbound(StandardProtocolFamily.INET).bind(ANY_PORT, 1));
        for (int i = 0; i < 2; i++) {
            own(SocketConnector.connect(full.localAddress(), LIMIT));
        }
        AsyncStream.connect(proactor, full.localAddress(), Duration.ofMillis(20), handler);
        runUntilClosed();
        assertEquals(List.of("failed", "closed"), handler.hooks());
        assertInstanceOf(SocketTimeoutException.class, handler.failure);
    }

    @Test
    void unresolvedAddressFailsLater() throws Exception {
        AsyncStream stream = AsyncStream.connect(proactor, InetSocketAddress.createUnresolved("nowhere", 1), LIMIT,
                handler);
        assertTrue(handler.hooks().isEmpty());
        assertTrue(stream.toString().contains("nowhere"), stream::toString);
        runUntilClosed();
        assertEquals(List.of("failed", "closed"), handler.hooks());
        assertInstanceOf(UnknownHostException.class, handler.failure);
        stream.close();
    }

    @Test
    void closeCancelsTheAttempt() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            AsyncStream stream = AsyncStream.connect(proactor, server.getLocalSocketAddress(), LIMIT, handler);
            stream.close();
            runUntilClosed();
            assertNull(handler.failure);
        }
    }

    @Test
    void connectAfterTheCloseOfTheProactorIsAMistake() throws Exception {
        proactor.close();
        IllegalStateException thrown = assertThrows(IllegalStateException.class,
                () -> AsyncStream.connect(proactor, ANY_PORT, LIMIT, handler));
        assertTrue(thrown.getMessage().endsWith("is closed; open another loop"), thrown::getMessage);
        assertThrows(IllegalStateException.class, () -> AsyncAcceptor.listen(proactor, ANY_PORT, () -> handler));
    }

    // Stopping

    @Test
    void closeOfTheProactorEndsItsConnections() throws Exception {
        Socket peer = connect();
        runUntil(() -> handler.hasCalled("opened"));
        proactor.close();
        assertEquals(List.of("opened", "closed"), handler.hooks());
        assertEquals(-1, peer.getInputStream().read());
    }

    @Test
    void closeOfTheProactorEndsAConnectionWithNothingInFlight() throws Exception {
        handler.on("opened", AsyncStream::pauseInput);
        connect();
        runUntil(() -> handler.hasCalled("opened"));
        runUntilIdle();
        proactor.close();
        assertEquals(List.of("opened", "closed"), handler.hooks());
    }

    @Test
    void orderlyStopFinishesConnections() throws Exception {
        byte[] much = Bytes.random(3 << 20);
        handler.on("finish", stream -> {
            stream.send(ByteBuffer.wrap(much));
            stream.closeWhenSent();
        });
        Socket peer = connect();
        runUntil(() -> handler.hasCalled("opened"));
        OtherThread<byte[]> reader = OtherThread.start(() -> {
            byte[] all = peer.getInputStream().readAllBytes();
            peer.close();
            return all;
        });
        proactor.stop(LIMIT);
        proactor.run();
        assertTrue(handler.isClosed());
        Bytes.assertBytes(much, reader.result());
        assertEquals(List.of("opened", "finish", "closed"), handler.hooks());
    }

    @Test
    void orderlyStopAnswersWhatHasCome() throws Exception {
        handler.onReceived(AsyncStream::send);
        Socket peer = connect();
        runUntil(() -> handler.hasCalled("opened"));
        byte[] question = Bytes.random(100_000);
        peer.getOutputStream().write(question);
        proactor.stop(LIMIT);
        OtherThread<byte[]> reader = OtherThread.start(() -> {
            byte[] all = peer.getInputStream().readAllBytes();
            peer.close();
            return all;
        });
        proactor.run();
        Bytes.assertBytes(question, reader.result());
        assertTrue(handler.isClosed());
    }

    @Test
    void orderlyStopAnswersWhatHasComeAsThePeerReads() throws Exception {
        handler.onReceived(AsyncStream::send);
        AsyncAcceptor acceptor = AsyncAcceptor.listen(proactor, ANY_PORT, () -> handler);
        byte[] much = Bytes.random(64 << 20);
        try (SocketChannel peer = SocketChannel.open(acceptor.localAddress())) {
            peer.configureBlocking(false);
            ByteBuffer rest = ByteBuffer.wrap(much);
            do {
                peer.write(rest);
                runUntilIdle();
            } while (!handler.stream.output().isAboveHighWatermark() || peer.write(rest) > 0);
            long before = handler.stream.receivedBytes();
            proactor.stop(LIMIT);
            peer.configureBlocking(true);
            OtherThread<byte[]> reader = OtherThread.start(() -> {
                byte[] all = peer.socket().getInputStream().readAllBytes();
                peer.close();
                return all;
            });
            proactor.run();
            byte[] echoed = reader.result();
            assertTrue(echoed.length > before, () -> echoed.length + " bytes came back, received were " + before);
            Bytes.assertBytes(Arrays.copyOf(much, echoed.length), echoed);
        }
    }

    @Test
    void orderlyStopEntersNoHookThatRunsTheLoop() throws Exception {
        handler.onReceived((stream, buffer) -> {
            handler.take(buffer.bytes());
            stream.pauseInput();
            stream.resumeInput();
            proactor.runOnce(Duration.ZERO);
        });
        handler.on("finish", AsyncStream::close);
        AsyncAcceptor acceptor = AsyncAcceptor.listen(proactor, ANY_PORT, () -> handler);
        try (SocketChannel peer = SocketChannel.open(acceptor.localAddress())) {
            runUntil(() -> handler.hasCalled("opened"));
            peer.configureBlocking(false);
            byte[] much = Bytes.random(4 << 20);
            ByteBuffer rest = ByteBuffer.wrap(much);
            while (rest.hasRemaining() && peer.write(rest) > 0) {
                continue;
            }
            proactor.stop(LIMIT);
            proactor.run();
            assertEquals(1, handler.maxAtOnce);
            assertEquals(List.of("opened", "received", "finish", "closed"), handler.hooks());
            Bytes.assertBytes(Arrays.copyOf(much, handler.count()), handler.bytes());
            assertTrue(handler.count() > 0);
        }
    }

    @Test
    void orderlyStopFinishesThoughThePeerContinuesSending() throws Exception {
        // Slower than the peer.
        handler.onReceived((stream, buffer) -> LockSupport.parkNanos(200_000));
        handler.on("finish", AsyncStream::close);
        Socket peer = connect();
        runUntil(() -> handler.hasCalled("opened"));
        OtherThread<Void> writer = OtherThread.start(() -> {
            byte[] piece = new byte[1 << 20];
            while (true) {
                peer.getOutputStream().write(piece);
            }
        });
        proactor.stop(LIMIT.multipliedBy(2));
        OtherThread<Void> closer = OtherThread.start(() -> {
            // Ends the test if the stop does not.
            OtherThread.await(handler::isClosed);
            return null;
        });
        proactor.run();
        closer.result();
        assertEquals(1, handler.hooks().stream().filter("finish"::equals).count());
        assertThrows(IOException.class, writer::result);
    }

    @Test
    void orderlyStopClosesTheRestAtTheDeadline() throws Exception {
        handler.on("finish", stream -> { });
        Socket peer = connect();
        runUntil(() -> handler.hasCalled("opened"));
        proactor.stop(SHORT);
        proactor.run();
        proactor.close();
        assertEquals(-1, peer.getInputStream().read());
        assertEquals(List.of("opened", "finish", "closed"), handler.hooks());
    }

    // Several connections

    @Test
    void connectionThatIsNotAdmittedIsClosed() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        AsyncAcceptor acceptor = AsyncAcceptor.listen(proactor, ANY_PORT,
                new ListenOptions().filter(stream -> asked.incrementAndGet() != 1), () -> handler);
        Socket refused = connect(acceptor);
        Socket served = connect(acceptor);
        served.getOutputStream().write(1);
        runUntil(() -> handler.count() == 1);
        assertEquals(-1, refused.getInputStream().read());
        assertEquals(1, acceptor.connections().count());
        assertEquals(2, asked.get());
    }

    @Test
    void acceptorPausesAtTheLimitOfItsRegistry() throws Exception {
        Connections connections = new Connections().limit(2);
        List<NotingHandler> handlers = new ArrayList<>();
        AsyncAcceptor acceptor = AsyncAcceptor.listen(proactor, ANY_PORT, new ListenOptions().connections(connections),
                () -> {
                    NotingHandler next = new NotingHandler();
                    handlers.add(next);
                    return next;
                });
        List<Socket> peers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            peers.add(connect(acceptor));
        }
        runUntil(() -> handlers.size() == 2);
        for (int i = 0; i < CALM_RUNS; i++) {
            runUntilIdle();
        }
        assertEquals(2, handlers.size());
        assertEquals(2, connections.count());
        for (int closed = 0; closed < 3; closed++) {
            peers.get(closed).close();
            int expected = closed + 3;
            runUntil(() -> handlers.size() == expected);
        }
        acceptor.close();
        proactor.close();
        handlers.forEach(each -> assertEquals(1, each.hooks().stream().filter("closed"::equals).count()));
        assertEquals(0, connections.count());
    }

    @Test
    void handOverGivesAllThatFollowsToTheNextHandler() throws Exception {
        NotingHandler next = new NotingHandler();
        handler.onReceived((stream, buffer) -> {
            handler.take(buffer.bytes());
            stream.handOver(next);
        });
        Socket peer = connect();
        peer.getOutputStream().write(1);
        runUntil(() -> handler.count() == 1);
        peer.getOutputStream().write(2);
        runUntil(() -> next.count() == 1);
        peer.close();
        runUntil(next::isClosed);
        assertEquals(List.of("opened", "received"), handler.hooks());
        assertEquals(List.of("received", "ended", "closed"), next.hooks());
    }
}
