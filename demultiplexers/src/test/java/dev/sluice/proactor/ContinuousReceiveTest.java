package dev.sluice.proactor;

import static dev.sluice.handle.Bytes.assertBytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.demultiplexer.operation.ProvidedBuffers;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.Bytes;
import dev.sluice.reactor.Connection;
import dev.sluice.testing.Depth;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag(Depth.IN_QUICK)
class ContinuousReceiveTest extends ProactorContract {

    /** In bytes. */
    private static final int SHARE =
            ProvidedBuffers.Size.DEFAULT.maxRetained() * ProvidedBuffers.Size.DEFAULT.ordinary().bytes();

    private final ByteArrayOutputStream received = new ByteArrayOutputStream();
    private Connection connection;
    private AsyncStream stream;

    @BeforeEach
    void connect() throws IOException {
        connection = unix();
        stream = async(connection.near());
    }

    private void receiveEverything() {
        recorder.on(OperationType.RECEIVE_CONTINUOUSLY, completion -> {
            if (completion.buffer() != null) {
                assertEquals(completion.bytesTransferred(), completion.buffer().buffer().remaining());
                take(completion.buffer().buffer());
            }
        });
        stream.receiveContinuously("all");
    }

    private void take(ByteBuffer bytes) {
        byte[] piece = new byte[bytes.remaining()];
        bytes.get(piece);
        received.writeBytes(piece);
    }

    @Test
    void bringsWhatComesUntilTheEndOfTheStream() throws Exception {
        receiveEverything();
        for (int i = 1; i <= 3; i++) {
            int expected = 5 * i;
            connection.send("hello");
            runUntil(() -> received.size() == expected);
        }
        connection.send("last");
        connection.far().close();
        CompletionRecorder.Result end = result("all");
        assertEquals("hellohellohellolast", received.toString());
        assertTrue(end.end());
        assertFalse(end.hasBuffer());
        List<CompletionRecorder.Result> all = recorder.results();
        assertSame(end, all.get(all.size() - 1));
        for (CompletionRecorder.Result each : all.subList(0, all.size() - 1)) {
            assertTrue(each.hasBuffer() && !each.last() && !each.end(), each::toString);
            assertEquals(OperationType.RECEIVE_CONTINUOUSLY, each.type());
        }
    }

    @Test
    void bringsEveryByteInOrder() throws Exception {
        byte[] bytes = Bytes.random(6 * 1024 * 1024 + 7);
        receiveEverything();
        OtherThread<Void> sender = OtherThread.start(() -> {
            connection.far().sendFully(direct(bytes), LIMIT);
            connection.far().close();
            return null;
        });
        assertTrue(result("all").end());
        sender.result();
        assertBytes(bytes, received.toByteArray());
    }

    @Test
    void buffersAreSentOnAndReleasedWhenTheyHaveBeenSent() throws Exception {
        byte[] bytes = Bytes.random(3 * 1024 * 1024 + 7);
        recorder.on(OperationType.RECEIVE_CONTINUOUSLY, completion -> {
            if (completion.isLast()) {
                stream.shutdownOutput("end");
            } else {
                ProvidedBuffer kept = completion.buffer().keep();
                stream.send(kept.buffer(), kept);
            }
        }).on(OperationType.SEND, completion -> {
            assertTrue(completion.isSuccess());
            ((ProvidedBuffer) completion.token()).release();
        });
        stream.receiveContinuously("all");
        OtherThread<Void> sender = OtherThread.start(() -> {
            connection.far().sendFully(ByteBuffer.wrap(bytes), LIMIT);
            connection.far().shutdownOutput();
            return null;
        });
        OtherThread<byte[]> reader = OtherThread.start(() -> {
            ByteBuffer all = ByteBuffer.allocate(bytes.length);
            assertTrue(connection.far().receiveFully(all, LIMIT));
            return all.array();
        });
        result("end");
        sender.result();
        assertBytes(bytes, reader.result());
    }

    @Test
    void keptBuffersStayAsTheyAreUntilTheyAreReleasedByAnotherThread() throws Exception {
        // More than the buffers hold, so that the receive has to wait for the releases, too.
        byte[] bytes = Bytes.random(20 * 1024 * 1024 + 7);
        LinkedBlockingQueue<ProvidedBuffer> kept = new LinkedBlockingQueue<>();
        recorder.on(OperationType.RECEIVE_CONTINUOUSLY, completion -> {
            if (completion.buffer() != null) {
                kept.add(completion.buffer().keep());
            }
        });
        stream.receiveContinuously("all");
        OtherThread<Void> sender = OtherThread.start(() -> {
            connection.far().sendFully(direct(bytes), LIMIT);
            connection.far().close();
            return null;
        });
        OtherThread<Void> consumer = OtherThread.start(() -> {
            while (received.size() < bytes.length) {
                ProvidedBuffer next = kept.take();
                take(next.buffer());
                next.release();
            }
            return null;
        });
        assertTrue(result("all").end());
        sender.result();
        consumer.result();
        assertBytes(bytes, received.toByteArray());
    }

    /** To go on with the first one that comes back could cost a system call for each. */
    @Test
    void waitsWithItsShareOfTheBuffersWithoutSpinningAndGoesOnWhenTheyComeBack() throws Exception {
        List<ProvidedBuffer> kept = new ArrayList<>();
        recorder.on(OperationType.RECEIVE_CONTINUOUSLY, completion -> kept.add(completion.buffer().keep()));
        stream.receiveContinuously("all");
        byte[] much = new byte[1024 * 1024];
        OtherThread<Void> sender = OtherThread.start(() -> {
            for (int i = 0; i < 64; i++) {
                connection.far().sendFully(ByteBuffer.wrap(much), LIMIT);
            }
            return null;
        });
        for (int round = 0; round < 3; round++) {
            runUntil(() -> size(kept) >= SHARE);
            // Nothing comes any more, though there is something.
            runUntilIdle();
            assertTrue(size(kept) <= 4 * SHARE, () -> "keeps " + size(kept));
            assertFalse(recorder.isOver("all"));
            kept.forEach(ProvidedBuffer::release);
            kept.clear();
        }
        runUntil(() -> size(kept) >= SHARE);
        stream.close();
        assertTrue(result("all").isCancelled());
        connection.far().close();
        assertThrows(IOException.class, sender::result);
        kept.forEach(ProvidedBuffer::release);
    }

    private static int size(List<ProvidedBuffer> buffers) {
        return buffers.stream().mapToInt(buffer -> buffer.buffer().capacity()).sum();
    }

    @Test
    void aBufferThatIsNotKeptGoesBack() throws Exception {
        ProvidedBuffer[] buffer = new ProvidedBuffer[1];
        recorder.on(OperationType.RECEIVE_CONTINUOUSLY, completion -> {
            buffer[0] = completion.buffer();
            assertThrows(IllegalStateException.class, buffer[0]::release);
        });
        stream.receiveContinuously("all");
        connection.send("x");
        runUntil(() -> buffer[0] != null);
        runUntilIdle();
        assertEquals(List.of(), recorder.failures());
        assertThrows(IllegalStateException.class, buffer[0]::keep);
        assertThrows(IllegalStateException.class, buffer[0]::release);
    }

    @Test
    void aBufferIsKeptOnceAndReleasedOnce() throws Exception {
        ProvidedBuffer[] buffer = new ProvidedBuffer[1];
        recorder.on(OperationType.RECEIVE_CONTINUOUSLY, completion -> {
            buffer[0] = completion.buffer().keep();
            assertThrows(IllegalStateException.class, buffer[0]::keep);
        });
        stream.receiveContinuously("all");
        connection.send("kept");
        runUntil(() -> buffer[0] != null);
        assertEquals(List.of(), recorder.failures());
        assertEquals("kept", text(buffer[0].buffer()));
        buffer[0].release();
        assertThrows(IllegalStateException.class, buffer[0]::release);
    }

    @Test
    void buffersMayBeKeptAcrossTheCloseOfTheirStream() throws Exception {
        ProvidedBuffer[] buffer = new ProvidedBuffer[1];
        recorder.on(OperationType.RECEIVE_CONTINUOUSLY, completion -> {
            if (!completion.isLast()) {
                buffer[0] = completion.buffer().keep();
                stream.close();
            }
        });
        stream.receiveContinuously("all");
        connection.send("kept");
        assertTrue(result("all").isCancelled());
        assertEquals("kept", text(buffer[0].buffer()));
        buffer[0].release();
    }

    @Test
    void manySilentStreamsAreServedWhenTheySpeak() throws Exception {
        List<Connection> connections = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            Connection each = unix();
            connections.add(each);
            async(each.near()).receiveContinuously(i);
        }
        runUntilIdle();
        for (Connection each : connections) {
            each.send("x");
        }
        runUntil(() -> recorder.results().size() == 100);
        connections.forEach(each -> each.far().close());
        runUntil(() -> recorder.over() == 100);
        for (int i = 0; i < 100; i++) {
            assertEquals(2, recorder.results(i).size());
            assertTrue(recorder.last(i).end());
        }
    }

    @Test
    void ordinaryReceivesComeAfterTheCancelledContinuousOne() throws Exception {
        receiveEverything();
        ByteBuffer next = ByteBuffer.allocate(8);
        runUntilIdle();
        stream.receive(next, "next");
        connection.send("one");
        runUntil(() -> received.size() == 3);
        assertFalse(recorder.isOver("next"));
        stream.cancel();
        assertTrue(result("next").isCancelled());
        assertTrue(result("all").isCancelled());
        connection.send("two");
        stream.receive(next, "again");
        assertEquals(3, result("again").bytes());
    }
}
