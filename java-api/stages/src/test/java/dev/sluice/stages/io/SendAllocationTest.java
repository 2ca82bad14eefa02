package dev.sluice.stages.io;

import static dev.sluice.eventloop.EventLoopContract.LIMIT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import dev.sluice.calls.Bindings;
import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import dev.sluice.proactor.Proactor;
import dev.sluice.stages.EnqueueResult;
import dev.sluice.stages.EventBatch;
import dev.sluice.stages.Stage;
import dev.sluice.stages.StageGraph;
import dev.sluice.stages.StageOptions;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What knows of a packet until it has been sent is used again for the next, which one thread adds after that. */
@Tag(Depth.OPTIMIZED)
@EnabledOnOs(OS.LINUX)
class SendAllocationTest extends LeakChecked {

    private static final String NAME = "io_uring";
    private static final int SENDS = 20_000;
    /** The smallest object. The loop's tasks have a place in chunks, which take 4 bytes for each of them. */
    private static final double BYTES_PER_SEND = 16;

    private Proactor proactor;
    private AsyncConnection accepted;

    @Test
    void aSendAllocatesNothing() throws Exception {
        assumeTrue(Bindings.current().name().equals("ffm"), "JNA makes an object of each direct buffer's address");
        assumeTrue(Mechanism.available().stream()
                .anyMatch(factory -> factory.name().equals(NAME) && factory.availability().usable()), "no io_uring");
        proactor = own(Proactor.open(NAME));
        StageGraph graph = own(new StageGraph("graph of a test"));
        SocketStages sockets = new SocketStages(graph, "tcp", proactor);
        Stage<SocketEvent> stage = graph.add("application", SocketEvent.class, this::handle,
                new StageOptions<SocketEvent>().loop(proactor));
        AsyncServerSocket server = new AsyncServerSocket(sockets, new InetSocketAddress("127.0.0.1", 0),
                stage.queue());
        graph.start();
        SocketStream peer = own(SocketConnector.connect(server.localAddress(), LIMIT));
        long end = System.nanoTime() + LIMIT.toNanos();
        while (accepted == null) {
            proactor.runOnce(LIMIT);
            assertTrue(System.nanoTime() - end < 0, "no connection");
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long self = Thread.currentThread().getId();
        double perSend = Double.MAX_VALUE;
        // How soon the compiler has its last word is its own affair, so the measurement is repeated until it has.
        end = System.nanoTime() + LIMIT.toNanos();
        while (perSend >= BYTES_PER_SEND && System.nanoTime() - end < 0) {
            long before = threads.getThreadAllocatedBytes(self);
            send(peer);
            perSend = (double) (threads.getThreadAllocatedBytes(self) - before) / SENDS;
        }
        double measured = perSend;
        graph.stop(Duration.ZERO);
        assertTrue(measured < BYTES_PER_SEND, () -> measured + " bytes per send");
    }

    private void handle(EventBatch<SocketEvent> batch) {
        for (SocketEvent event = batch.next(); event != null; event = batch.next()) {
            if (event instanceof AsyncConnection connection) {
                accepted = connection;
            }
        }
    }

    private void send(SocketStream peer) throws IOException {
        ByteBuffer packet = ByteBuffer.allocateDirect(32);
        ByteBuffer buffer = ByteBuffer.allocateDirect(packet.capacity());
        long end = System.nanoTime() + LIMIT.toNanos();
        for (int i = 0; i < SENDS; i++) {
            assertEquals(EnqueueResult.ACCEPTED, accepted.send(packet.clear()));
            // A deadline for each would be an object.
            while (accepted.outgoing() > 0) {
                proactor.runOnce(LIMIT);
                assertTrue(System.nanoTime() - end < 0, "it is not sent");
            }
            buffer.clear();
            while (buffer.hasRemaining()) {
                assertNotEquals(SocketStream.END_OF_STREAM, peer.receive(buffer));
                assertTrue(System.nanoTime() - end < 0, "it does not arrive");
            }
        }
    }
}
