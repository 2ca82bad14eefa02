package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.Bytes;
import dev.sluice.testing.Depth;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Hooks of one connection are called one at a time, also where several threads run the proactor. */
@Tag(Depth.IN_QUICK)
class SharedStreamHandlerTest extends SharedProactorContract {

    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final int PEERS = 8;
    private static final int SIZE = 1 << 20;

    private static Socket connect(AsyncAcceptor acceptor) throws Exception {
        Socket socket = new Socket();
        socket.connect(acceptor.localAddress(), (int) LIMIT.toMillis());
        socket.setSoTimeout((int) LIMIT.toMillis());
        return socket;
    }

    /** {@return what has come back} */
    private static byte[] exchange(AsyncAcceptor acceptor, byte[] bytes) throws Exception {
        try (Socket peer = connect(acceptor)) {
            OtherThread<Void> writer = OtherThread.start(() -> {
                peer.getOutputStream().write(bytes);
                peer.shutdownOutput();
                return null;
            });
            byte[] all = peer.getInputStream().readAllBytes();
            writer.result();
            return all;
        }
    }

    private static void assertExchanges(AsyncAcceptor acceptor) throws Exception {
        List<OtherThread<byte[]>> peers = new ArrayList<>();
        for (int i = 0; i < PEERS; i++) {
            byte[] bytes = Bytes.random(SIZE, i);
            peers.add(OtherThread.start(() -> exchange(acceptor, bytes)));
        }
        for (int i = 0; i < PEERS; i++) {
            Bytes.assertBytes(Bytes.random(SIZE, i), peers.get(i).result());
        }
    }

    @Test
    void echoesWhileTasksAndOtherThreadsUseTheConnections() throws Exception {
        List<NotingHandler> handlers = new CopyOnWriteArrayList<>();
        AsyncAcceptor acceptor = AsyncAcceptor.listen(proactor, ANY_PORT, () -> {
            NotingHandler handler = new NotingHandler().onReceived((stream, buffer) -> {
                stream.loop().execute(stream::resumeInput);
                stream.pauseInput();
                stream.send(buffer);
            });
            handlers.add(handler);
            return handler;
        });
        runBy(THREADS);
        assertExchanges(acceptor);
        OtherThread.await(() -> handlers.size() == PEERS && handlers.stream().allMatch(NotingHandler::isClosed));
        for (NotingHandler handler : handlers) {
            assertEquals(1, handler.maxAtOnce);
            assertEquals(1, handler.hooks().stream().filter("closed"::equals).count(), handler.hooks()::toString);
        }
    }

    @Test
    void connectionThatAHookMakesMayBeUsedByIt() throws Exception {
        AsyncAcceptor echo = AsyncAcceptor.listen(proactor, ANY_PORT, () -> AsyncStream::send);
        AsyncAcceptor proxy = AsyncAcceptor.listen(proactor, ANY_PORT, () -> new Side(echo.localAddress(), null));
        runBy(THREADS);
        assertExchanges(proxy);
    }

    /** One side of a proxy. */
    private static final class Side implements StreamHandler {

        private final SocketAddress upstream;
        private AsyncStream other;

        Side(SocketAddress upstream, AsyncStream other) {
            this.upstream = upstream;
            this.other = other;
        }

        @Override
        public void opened(AsyncStream stream) {
            if (other == null) {
                other = AsyncStream.connect(stream.proactor(), upstream, LIMIT, new Side(null, stream));
                other.output().pauses(stream);
                stream.output().pauses(other);
            }
        }

        @Override
        public void received(AsyncStream stream, ProvidedBuffer buffer) {
            other.send(buffer);
        }

        @Override
        public void ended(AsyncStream stream) {
            other.output().shutdownWhenSent();
        }

        @Override
        public void closed(AsyncStream stream) {
            other.closeWhenSent();
        }
    }

    @Test
    void sendsOfOtherThreadsComeInTheirOrder() throws Exception {
        NotingHandler handler = new NotingHandler();
        AsyncAcceptor acceptor = AsyncAcceptor.listen(proactor, ANY_PORT, () -> handler);
        runBy(THREADS);
        try (Socket peer = connect(acceptor)) {
            OtherThread.await(() -> handler.hasCalled("opened"));
            for (int i = 0; i < 20_000; i++) {
                assertTrue(handler.stream.send(ByteBuffer.allocate(4).putInt(i).flip()));
            }
            ByteBuffer all = ByteBuffer.wrap(peer.getInputStream().readNBytes(80_000));
            for (int i = 0; i < 20_000; i++) {
                assertEquals(i, all.getInt());
            }
        }
        OtherThread.await(handler::isClosed);
    }

    @Test
    void closeOfTheProactorEndsAConnectionThatHasPausedAnother() throws Exception {
        NotingHandler paused = new NotingHandler();
        NotingHandler pausing = new NotingHandler().on("opened", stream -> {
            stream.output().watermarks(1, 10).pauses(paused.stream);
            stream.send(ByteBuffer.allocate(16 * SIZE));
        });
        AsyncAcceptor acceptor = AsyncAcceptor.listen(proactor, ANY_PORT, () -> paused);
        AsyncAcceptor other = AsyncAcceptor.listen(proactor, ANY_PORT, () -> pausing);
        runBy(2);
        try (Socket first = connect(acceptor)) {
            OtherThread.await(() -> paused.hasCalled("opened"));
            try (Socket second = connect(other)) {
                OtherThread.await(() -> pausing.hasCalled("opened"));
                assertTrue(pausing.stream.output().isAboveHighWatermark());
                proactor.close();
                assertTrue(pausing.isClosed() && paused.isClosed());
                assertTrue(second.isConnected() && first.isConnected());
            }
        }
    }
}
