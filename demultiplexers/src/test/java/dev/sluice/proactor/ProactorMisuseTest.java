package dev.sluice.proactor;

import static dev.sluice.eventloop.Misuse.assertRefused;
import static dev.sluice.eventloop.Misuse.assertThrown;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.connection.OutputQueue;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.demultiplexer.RetainedBuffer;
import dev.sluice.eventloop.EventLoop;
import dev.sluice.eventloop.LoopBuilder;
import dev.sluice.eventloop.LoopMisuseContract;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What a proactor, its connections and their buffers refuse. */
class ProactorMisuseTest extends ProactorContract implements LoopMisuseContract {

    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private final NotingHandler handler = new NotingHandler();
    private SocketStream peer;

    @Override
    public EventLoop misused() {
        return proactor;
    }

    @Override
    public boolean isRunByMany() {
        return isShared();
    }

    @Override
    public LoopBuilder<Proactor> loops() {
        return Proactor.builder().demultiplexer(demultiplexer);
    }

    /** Does something in the first hook of a connection. */
    private void connect(NotingHandler.Hook action) throws IOException {
        handler.on("opened", action);
        peer = own(SocketConnector.connect(AsyncAcceptor.listen(proactor, ANY_PORT, () -> handler).localAddress(),
                LIMIT));
        runUntil(() -> handler.hasCalled("opened"));
        assertNull(handler.failure);
    }

    /** Does something with the next byte. */
    private void exchange(NotingHandler.Receiver action) throws IOException {
        int before = handler.count();
        handler.onReceived((stream, buffer) -> {
            action.call(stream, buffer);
            handler.take(ByteBuffer.allocate(1));
        });
        peer.sendFully(ByteBuffer.allocate(1), LIMIT);
        runUntil(() -> handler.count() > before || handler.failure != null);
        assertNull(handler.failure);
        runUntilIdle();
    }

    @Test
    void oneThreadRunsIt() throws Exception {
        if (!isShared()) {
            OtherThread.run(() -> proactor.runOnce(Duration.ZERO));
            assertRefused("run: only Thread[", "use a group for several threads",
                    () -> proactor.runOnce(Duration.ZERO));
        }
    }

    /** Does something in the loop. */
    private void inLoop(OtherThread.Action action) throws Exception {
        FutureTask<Void> task = new FutureTask<>(() -> {
            action.run();
            return null;
        });
        handler.stream.loop().execute(task);
        runUntil(task::isDone);
        task.get();
    }

    // Buffers

    @Test
    void aProvidedBufferIsForTheHook() throws Exception {
        List<ProvidedBuffer> buffers = new ArrayList<>();
        connect(stream -> { });
        exchange((stream, buffer) -> buffers.add(buffer));
        String late = ": the buffer was released when received() returned";
        String wayOut = "call retain() inside the hook";
        assertRefused("bytes" + late, wayOut, buffers.get(0)::bytes);
        assertRefused("retain" + late, wayOut, buffers.get(0)::retain);
        inLoop(() -> assertRefused("retain" + late, wayOut, () -> handler.stream.send(buffers.get(0))));
        String moved = ": the buffer has been retained or sent";
        exchange((stream, buffer) -> {
            stream.send(buffer);
            assertRefused("bytes" + moved, "it belongs to the new owner", buffer::bytes);
            assertRefused("retain" + moved, "it belongs to the new owner", buffer::retain);
            assertRefused("retain" + moved, "it belongs to the new owner", () -> stream.send(buffer));
        });
    }

    @Test
    void aRetainedBufferIsClosedOrSentOnce() throws Exception {
        List<RetainedBuffer> buffers = new ArrayList<>();
        connect(stream -> { });
        exchange((stream, buffer) -> {
            buffers.add(buffer.retain());
            assertRefused("retain: the buffer has been retained or sent", "new owner", buffer::retain);
        });
        exchange((stream, buffer) -> buffers.add(buffer.retain()));
        buffers.get(0).close();
        inLoop(() -> {
            assertTrue(handler.stream.send(buffers.get(1)));
            assertRefused("send: the buffer has been closed or sent before", "close or send a retained buffer once",
                    () -> handler.stream.send(buffers.get(1)));
        });
        runUntil(() -> handler.stream.sentBytes() == 1);
        for (RetainedBuffer each : buffers) {
            assertRefused("close: the buffer has been closed or sent before", "close or send a retained buffer once",
                    each::close);
            assertRefused("bytes: the buffer has been closed or sent before", "close or send a retained buffer once",
                    each::bytes);
        }
        assertTrue(peer.receiveFully(ByteBuffer.allocate(1), LIMIT));
    }

    // Connections

    @Test
    void nothingIsSentAfterTheOutputWasShutDown() throws Exception {
        connect(stream -> {
            stream.output().shutdownWhenSent();
            assertRefused("send: shutdownWhenSent() was called before", "send first",
                    () -> stream.send(ByteBuffer.allocate(1)));
        });
    }

    @Test
    void nothingIsSentAfterTheOrderlyClose() throws Exception {
        connect(stream -> {
            stream.closeWhenSent();
            assertRefused("send: closeWhenSent() was called before", "send first",
                    () -> stream.output().send(ByteBuffer.allocate(1), () -> { }));
        });
    }

    @Test
    void nothingIsSentAfterTheClose() throws Exception {
        connect(stream -> {
            stream.close();
            assertRefused("send: close() was called before", "send first", () -> stream.send(ByteBuffer.allocate(1)));
        });
    }

    @Test
    void limitsAreInOrder() throws Exception {
        Class<IllegalArgumentException> type = IllegalArgumentException.class;
        connect(stream -> {
            OutputQueue output = stream.output();
            assertThrown(type, "watermarks: low 2, high 1", "1 <= low <= high", () -> output.watermarks(2, 1));
            assertThrown(type, "limit: 5 is below the high watermark", "set that first", () -> output.limit(5));
            assertThrown(type, "idleTimeout: direction EXCEPTION", "need READ, WRITE or READ_WRITE",
                    () -> stream.idleTimeout(Interest.EXCEPTION, LIMIT));
        });
    }

    @Test
    void whatTheLoopThreadDoesNoOtherDoes() throws Exception {
        connect(stream -> { });
        AsyncStream stream = handler.stream;
        OtherThread.run(() -> {
            for (Consumer<OutputQueue> call : List.<Consumer<OutputQueue>>of(queue -> queue.watermarks(1, 2),
                    queue -> queue.limit(1 << 20), queue -> queue.pauses(stream))) {
                assertRefused("", ": only the thread that calls the hooks may call this",
                        () -> call.accept(stream.output()));
            }
            String wayOut = "use loop().execute(...)";
            assertRefused("pauseInput: only the loop thread", wayOut, stream::pauseInput);
            assertRefused("resumeInput: only the loop thread", wayOut, stream::resumeInput);
            assertRefused("idleTimeout: only the loop thread", wayOut, () -> stream.idleTimeout(Interest.READ, LIMIT));
            assertRefused("handOver: only the loop thread", wayOut, () -> stream.handOver(new NotingHandler()));
        });
    }

    @Test
    void aQueuePausesAConnectionOfItsLoop() throws Exception {
        Proactor loop = own(Proactor.open(demultiplexer));
        SocketAcceptor target = own(SocketAcceptor.open(ANY_PORT));
        AsyncStream other = AsyncStream.connect(loop, target.localAddress(), LIMIT, new NotingHandler());
        connect(stream -> assertThrown(IllegalArgumentException.class, "pauses: both connections must be on one loop",
                "connect with the loop of the accepted one", () -> stream.output().pauses(other)));
    }

    @Test
    void aClosedProactorTakesNothing() {
        proactor.close();
        String wayOut = "is closed; open another loop";
        assertRefused("listen: " + proactor, wayOut, () -> AsyncAcceptor.listen(proactor, ANY_PORT, () -> handler));
        assertRefused("connect: " + proactor, wayOut,
                () -> AsyncStream.connect(proactor, ANY_PORT, LIMIT, handler));
    }
}
