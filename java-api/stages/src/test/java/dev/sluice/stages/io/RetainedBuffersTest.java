package dev.sluice.stages.io;

import static dev.sluice.eventloop.EventLoopContract.LIMIT;
import static dev.sluice.handle.Bytes.assertBytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.demultiplexer.emulated.EmulatedDemultiplexer;
import dev.sluice.demultiplexer.epoll.EpollDemultiplexer;
import dev.sluice.demultiplexer.iouring.IoUringDemultiplexer;
import dev.sluice.demultiplexer.iouring.IoUringSize;
import dev.sluice.demultiplexer.operation.FilePool;
import dev.sluice.demultiplexer.operation.ProvidedBuffers;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Trigger;
import dev.sluice.eventloop.LoopRunner;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.Bytes;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import dev.sluice.proactor.Proactor;
import dev.sluice.proactor.Proactors;
import dev.sluice.stages.EnqueueResult;
import dev.sluice.stages.Stage;
import dev.sluice.stages.StageGraph;
import dev.sluice.stages.StageOptions;
import dev.sluice.timer.TimerQueue;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A proactor with four buffers, and more connections whose packets are not taken: two buffers stay free. */
@EnabledOnOs(OS.LINUX)
class RetainedBuffersTest {

    private static final String IO_URING = "io_uring";
    private static final ProvidedBuffers.Size FOUR = new ProvidedBuffers.Size(4096, 4, 4);
    private static final int SHARE = 2;
    private static final int PEERS = 6;
    /** More than the system holds on a connection with small buffers. */
    private static final int MUCH = 500_000;
    private static final int SMALL = 64 * 1024;

    /** Some stages on the proactor, with their application. */
    private static final class Application implements AutoCloseable {

        private final StageGraph graph;
        final SocketStages sockets;
        private final AsyncServerSocket server;

        Application(String name, Proactor proactor, SocketStagesContract.Application logic, int capacity,
                SocketOptions options) throws IOException {
            graph = new StageGraph(name);
            sockets = new SocketStages(graph, "tcp", proactor, options);
            Stage<SocketEvent> stage = graph.add(name, SocketEvent.class, logic,
                    new StageOptions<SocketEvent>().capacity(capacity));
            logic.queue = stage.queue();
            server = new AsyncServerSocket(sockets, SocketStagesContract.ANY_PORT, stage.queue());
            graph.start();
        }

        SocketStream connect() throws IOException {
            return SocketConnector.connect(server.localAddress(), LIMIT);
        }

        @Override
        public void close() {
            graph.close();
        }
    }

    /** Notes what each connection has brought, while it is there. */
    private static final class Reader extends SocketStagesContract.Application {

        private final Map<Integer, ByteArrayOutputStream> received = new HashMap<>();
        private final AtomicInteger count = new AtomicInteger();

        @Override
        void handle(SocketEvent event) throws Exception {
            super.handle(event);
            if (event instanceof Packet packet) {
                byte[] bytes = new byte[packet.bytes().remaining()];
                packet.bytes().get(bytes);
                received.computeIfAbsent(packet.connection().remoteAddress().hashCode(),
                        key -> new ByteArrayOutputStream()).writeBytes(bytes);
                count.addAndGet(bytes.length);
            }
        }
    }

    private static final class Echo extends SocketStagesContract.Application {

        @Override
        void handle(SocketEvent event) throws Exception {
            super.handle(event);
            if (event instanceof Packet packet) {
                assertEquals(EnqueueResult.ACCEPTED, packet.connection().send(packet.bytes()));
            }
        }
    }

    private static AsynchronousEventDemultiplexer open(String name) throws IOException {
        assumeTrue(Mechanism.available().stream()
                .anyMatch(factory -> factory.name().equals(name) && factory.availability().usable()), name);
        return name.equals(IO_URING)
                ? new IoUringDemultiplexer(new IoUringSize(64, 128, FOUR, IoUringSize.NEVER), false)
                : new EmulatedDemultiplexer(new EpollDemultiplexer(name, Trigger.LEVEL), FOUR, FilePool.DEFAULT_MAX);
    }

    @ParameterizedTest
    @CsvSource({"io_uring, false", "io_uring, true", "epoll, false", "epoll, true"})
    void othersCanReceiveAndNothingIsLost(String demultiplexer, boolean lent) throws Exception {
        SocketOptions options = new SocketOptions().maxRetainedBuffers(SHARE);
        if (lent) {
            options.zeroCopyPackets();
        }
        Reader stuck = new Reader();
        Map<Integer, byte[]> expected = new HashMap<>();
        List<SocketStream> peers = new ArrayList<>();
        List<OtherThread<Void>> senders = new ArrayList<>();
        try (Proactor proactor = Proactors.on(open(demultiplexer), TimerQueue.heap());
                LoopRunner loop = new LoopRunner(proactor);
                Application flooded = new Application("stuck", proactor, stuck, 1, options)) {
            for (int i = 0; i < PEERS; i++) {
                peers.add(flooded.connect());
            }
            for (AsyncConnection connection : stuck.await(AsyncConnection.class, PEERS)) {
                connection.stream().setOption(StandardSocketOptions.SO_RCVBUF, SMALL);
            }
            stuck.gate = new CountDownLatch(1);
            for (SocketStream peer : peers) {
                peer.setOption(StandardSocketOptions.SO_SNDBUF, SMALL);
                byte[] much = Bytes.random(MUCH, peer.localAddress().hashCode());
                expected.put(peer.localAddress().hashCode(), much);
                senders.add(OtherThread.start(() -> {
                    peer.sendFully(ByteBuffer.wrap(much), LIMIT);
                    return null;
                }));
            }
            OtherThread.await(() -> flooded.sockets.retained.count() == SHARE);
            try (Application other = new Application("other", proactor, new Echo(), 64, new SocketOptions());
                    SocketStream served = other.connect()) {
                for (int round = 0; round < 50; round++) {
                    byte[] few = Bytes.random(MUCH, round);
                    served.sendFully(ByteBuffer.wrap(few, 0, 4000), LIMIT);
                    ByteBuffer back = ByteBuffer.allocate(4000);
                    assertTrue(served.receiveFully(back, LIMIT));
                    assertEquals(ByteBuffer.wrap(few, 0, 4000), back.flip());
                }
            }
            // One less if the thread that takes the first packet came late: its place was free for a retained one then,
            // behind which the connection may wait with a copy.
            assertTrue(flooded.sockets.retained.count() <= SHARE);
            assertEquals(0, stuck.all(Packet.class).size());
            // No connection has continued to receive, and copied all that there is.
            assertTrue(senders.stream().allMatch(sender -> sender.thread().isAlive()));
            stuck.gate.countDown();
            for (OtherThread<Void> sender : senders) {
                sender.result();
            }
            OtherThread.await(() -> stuck.count.get() == PEERS * MUCH);
            for (Map.Entry<Integer, byte[]> each : expected.entrySet()) {
                assertBytes(each.getValue(), stuck.received.get(each.getKey()).toByteArray());
            }
            OtherThread.await(() -> flooded.sockets.retained.count() == 0);
            peers.get(0).shutdownOutput();
            stuck.await(EndOfInput.class);
        } finally {
            peers.forEach(SocketStream::close);
        }
    }
}
