package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.RetainedBuffer;
import dev.sluice.eventloop.LoopBuilder;
import dev.sluice.eventloop.LoopGroupContract;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import dev.sluice.timer.TimerQueue;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProactorGroupTest extends ProactorContract implements LoopGroupContract {

    private static final int MANY = 32 * 1024;

    @Override
    public LoopBuilder<ProactorGroup> groups() {
        return ProactorGroup.builder().demultiplexer(demultiplexer).loops(2);
    }

    @Override
    public void closeAfterwards(AutoCloseable resource) {
        own(resource);
    }

    @Test
    void aBuilderMakesSingleProactors() throws Exception {
        LoopBuilder<Proactor> builder = Proactor.builder().demultiplexer(demultiplexer).timers(TimerQueue::wheel);
        assertEquals(demultiplexer, own(builder.open()).demultiplexer());
        if (isShared()) {
            own(builder.multiThreaded(true).open());
        } else {
            assertThrows(IllegalArgumentException.class, () -> builder.multiThreaded(true).open());
        }
        assertThrows(IllegalArgumentException.class, () -> builder.multiThreaded(false).loops(2).open());
    }

    @Test
    void connectionsKeepNoMoreBuffersThanIsSet() throws Exception {
        LoopBuilder<Proactor> builder = Proactor.builder().demultiplexer(demultiplexer).buffers(30, 1024);
        assertThrows(IllegalArgumentException.class, () -> builder.retainLimit(33).open());
        Proactor limited = own(builder.retainLimit(2).open());
        List<RetainedBuffer> retained = new ArrayList<>();
        int[] received = new int[1];
        AsyncAcceptor acceptor = AsyncAcceptor.listen(limited, new InetSocketAddress("127.0.0.1", 0),
                () -> (stream, buffer) -> {
                    assertTrue(buffer.bytes().remaining() <= 1024, () -> "received " + buffer.bytes());
                    received[0] += buffer.bytes().remaining();
                    retained.add(buffer.retain());
                });
        SocketStream peer = own(SocketConnector.connect(acceptor.localAddress(), LIMIT));
        peer.sendFully(ByteBuffer.allocate(MANY), LIMIT);
        while (retained.size() < 2) {
            limited.runOnce(LIMIT);
        }
        while (limited.runOnce(Duration.ofMillis(50)) > 0) {
            assertTrue(retained.size() < 8, () -> retained.size() + " buffers are retained");
        }
        while (received[0] < MANY) {
            retained.forEach(RetainedBuffer::close);
            retained.clear();
            limited.runOnce(LIMIT);
        }
        retained.forEach(RetainedBuffer::close);
    }
}
