package dev.sluice.proactor;

import static dev.sluice.handle.Bytes.assertBytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.Bytes;
import dev.sluice.handle.ScarceMemory;
import dev.sluice.reactor.Connection;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Large buffers are a matter of speed: who brings much is served without them, too. */
class LargeBufferTest extends ProactorContract {

    private static final int MUCH = 4 << 20;
    /** What the first buffers of either size take. */
    private static final int BLOCK = 1 << 20;

    @Test
    void withoutMemoryForThemOrdinaryOnesDo() throws Exception {
        Connection connection = unix();
        AtomicInteger blocks = new AtomicInteger();
        Binding plentiful = Bindings.use(ScarceMemory.ofSizes(Bindings.current(),
                size -> size >= BLOCK && blocks.incrementAndGet() == 2));
        try {
            proactor = own(Proactor.open(demultiplexer));
        } finally {
            Bindings.use(plentiful);
        }
        ByteArrayOutputStream received = new ByteArrayOutputStream();
        recorder.on(OperationType.RECEIVE_CONTINUOUSLY, completion -> {
            if (completion.buffer() != null) {
                byte[] piece = new byte[completion.buffer().bytes().remaining()];
                completion.buffer().bytes().get(piece);
                received.writeBytes(piece);
            }
        });
        async(connection.near()).receiveContinuously("all");
        connection.send("x");
        // All that ordinary ones need is there.
        runUntil(() -> received.size() == 1);
        assertEquals(1, blocks.get());
        byte[] much = Bytes.random(MUCH);
        OtherThread<Void> sender = OtherThread.start(() -> {
            connection.far().sendFully(ByteBuffer.wrap(much), LIMIT);
            connection.far().close();
            return null;
        });
        assertTrue(result("all").end());
        assertTrue(blocks.get() >= 2, "has not asked for large ones");
        sender.result();
        byte[] expected = new byte[1 + MUCH];
        expected[0] = 'x';
        System.arraycopy(much, 0, expected, 1, MUCH);
        assertBytes(expected, received.toByteArray());
    }
}
