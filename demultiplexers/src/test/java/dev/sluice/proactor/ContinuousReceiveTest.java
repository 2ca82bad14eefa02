package dev.sluice.proactor;

import static dev.sluice.handle.Bytes.assertBytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.demultiplexer.RetainedBuffer;
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
                assertEquals(completion.bytesTransferred(), completion.buffer().bytes().remaining());
                take(completion.buffer().bytes());
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
                RetainedBuffer kept = completion.buffer().retain();
                stream.send(kept.bytes(), kept);
            }
        }).on(OperationType.SEND, completion -> {
            assertTrue(completion.isSuccess());
            ((RetainedBuffer) completion.token()).close();
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
        LinkedBlockingQueue<RetainedBuffer> kept = new LinkedBlockingQueue<>();
        recorder.on(OperationType.RECEIVE_CONTINUOUSLY, completion -> {
            if (completion.buffer() != null) {
                kept.add(completion.buffer().retain());
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
                RetainedBuffer next = kept.take();
                take(next.bytes());
                next.close();
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
    void waitsWithItsShareOfTheBuffersWithoutSpinningAndContinuesWhenTheyComeBack() throws Exception {
        List<RetainedBuffer> kept = new ArrayList<>();
        recorder.on(OperationType.RECEIVE_CONTINUOUSLY, completion -> kept.add(completion.buffer().retain()));
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
            kept.forEach(RetainedBuffer::close);
            kept.clear();
        }
        runUntil(() -> size(kept) >= SHARE);
        stream.close();
        assertTrue(result("all").isCancelled());
        connection.far().close();
        assertThrows(IOException.class, sender::result);
        kept.forEach(RetainedBuffer::close);
    }

    private static int size(List<RetainedBuffer> buffers) {
        return buffers.stream().mapToInt(buffer -> buffer.bytes().capacity()).sum();
    }

    @Test
    void aBufferThatIsNotRetainedIsReleased() throws Exception {
        ProvidedBuffer[] buffer = new ProvidedBuffer[1];
        recorder.on(OperationType.RECEIVE_CONTINUOUSLY, completion -> {
            buffer[0] = completion.buffer();
            assertEquals("x", text(buffer[0].bytes()));
        });
        stream.receiveContinuously("all");
        connection.send("x");
        runUntil(() -> buffer[0] != null);
        runUntilIdle();
        assertEquals(List.of(), recorder.failures());
        assertThrows(IllegalStateException.class, buffer[0]::retain);
        assertThrows(IllegalStateException.class, buffer[0]::bytes);
    }

    @Test
    void aBufferIsRetainedOnceAndClosedOnce() throws Exception {
        RetainedBuffer[] buffer = new RetainedBuffer[1];
        recorder.on(OperationType.RECEIVE_CONTINUOUSLY, completion -> {
            buffer[0] = completion.buffer().retain();
            assertThrows(IllegalStateException.class, completion.buffer()::retain);
        });
        stream.receiveContinuously("all");
        connection.send("kept");
        runUntil(() -> buffer[0] != null);
        assertEquals(List.of(), recorder.failures());
        assertEquals("kept", text(buffer[0].bytes()));
        buffer[0].close();
        assertThrows(IllegalStateException.class, buffer[0]::close);
    }

    @Test
    void buffersMayBeRetainedAcrossTheCloseOfTheirStream() throws Exception {
        RetainedBuffer[] buffer = new RetainedBuffer[1];
        recorder.on(OperationType.RECEIVE_CONTINUOUSLY, completion -> {
            if (!completion.isLast()) {
                buffer[0] = completion.buffer().retain();
                stream.close();
            }
        });
        stream.receiveContinuously("all");
        connection.send("kept");
        assertTrue(result("all").isCancelled());
        assertEquals("kept", text(buffer[0].bytes()));
        buffer[0].close();
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
