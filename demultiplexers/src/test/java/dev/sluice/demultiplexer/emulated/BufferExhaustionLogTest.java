package dev.sluice.demultiplexer.emulated;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.demultiplexer.RetainedBuffer;
import dev.sluice.demultiplexer.operation.FilePool;
import dev.sluice.demultiplexer.operation.ProvidedBuffers;
import dev.sluice.demultiplexer.poll.PollDemultiplexer;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** That receives wait because all buffers are kept is logged once, and again when it has been over in between. */
@EnabledOnOs(OS.LINUX)
class BufferExhaustionLogTest extends LeakChecked {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int BYTES = 16;
    private static final int BUFFERS = 4;

    @Test
    void comesOncePerShortage() throws Exception {
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        PrintStream before = System.err;
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
        try (SocketAcceptor acceptor = SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0));
                AsynchronousEventDemultiplexer demultiplexer = new EmulatedDemultiplexer(new PollDemultiplexer(),
                        new ProvidedBuffers.Size(BYTES, BUFFERS, BUFFERS), FilePool.DEFAULT_MAX);
                Completions completions = demultiplexer.newCompletions(1);
                SocketStream sender = SocketConnector.connect(acceptor.localAddress(), PATIENCE);
                SocketStream receiver = acceptor.accept(PATIENCE)) {
            Operation receive = demultiplexer.newOperation();
            receive.receiveContinuously(demultiplexer.associate(receiver.handle()));
            sender.send(ByteBuffer.allocate(100 * BUFFERS * BYTES));
            Deque<RetainedBuffer> kept = new ArrayDeque<>();
            for (int shortage = 1; shortage <= 3; shortage++) {
                // Each is received into a buffer that is not retained, even if all buffers are in flight at times.
                for (int i = 0; i < 2 * BUFFERS; i++) {
                    next(demultiplexer, completions);
                }
                assertEquals(shortage - 1, notices(log));
                while (kept.size() < BUFFERS) {
                    kept.add(next(demultiplexer, completions).retain());
                }
                for (int i = 0; i < 10; i++) {
                    assertEquals(0, demultiplexer.awaitCompletions(completions, 0));
                }
                assertEquals(shortage, notices(log));
                kept.forEach(RetainedBuffer::close);
                kept.clear();
            }
        } finally {
            System.setErr(before);
        }
    }

    private static ProvidedBuffer next(AsynchronousEventDemultiplexer demultiplexer, Completions completions)
            throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (demultiplexer.awaitCompletions(completions, PATIENCE.toNanos()) == 0) {
            assertTrue(System.nanoTime() - end < 0, "nothing is received");
        }
        return completions.get(0).buffer();
    }

    private static int notices(ByteArrayOutputStream log) {
        return log.toString(StandardCharsets.UTF_8).split("provided buffers are retained", -1).length - 1;
    }
}
