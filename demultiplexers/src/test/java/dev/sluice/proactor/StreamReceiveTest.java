package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.handle.NativeSocketOptions;
import dev.sluice.reactor.Connection;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag(Depth.IN_QUICK)
class StreamReceiveTest extends ProactorContract {

    private Connection connection;
    private AsyncStream stream;

    @BeforeEach
    void connect() throws IOException {
        connection = unix();
        stream = async(connection.near());
    }

    @Test
    void takesWhatIsThere() throws Exception {
        for (ByteBuffer buffer : List.of(ByteBuffer.allocate(64), ByteBuffer.allocateDirect(64))) {
            connection.send("hello");
            Object token = new Object();
            stream.receive(buffer, token);
            assertEquals(5, result(token).bytes());
            assertReceived("hello", buffer);
        }
    }

    @Test
    void waitsForTheFirstByte() throws Exception {
        ByteBuffer buffer = ByteBuffer.allocate(64);
        stream.receive(buffer, "first");
        runUntilIdle();
        assertEquals(List.of(), recorder.results());
        connection.send("late");
        assertEquals(4, result("first").bytes());
        assertReceived("late", buffer);
    }

    @Test
    void receiveFillsBetweenPositionAndLimit() throws Exception {
        for (ByteBuffer buffer : List.of(ByteBuffer.allocate(64), ByteBuffer.allocateDirect(64))) {
            buffer.put((byte) '>').limit(4);
            connection.send("abcde");
            Object token = new Object();
            stream.receive(buffer, token);
            assertEquals(3, result(token).bytes());
            assertEquals(4, buffer.position());
            assertReceived(">abc", buffer);
            Object rest = new Object();
            stream.receive(buffer.limit(64), rest);
            assertEquals(2, result(rest).bytes());
            assertReceived(">abcde", buffer);
        }
    }

    @Test
    void takesAnOffsetIntoTheBuffersMemory() throws Exception {
        ByteBuffer whole = ByteBuffer.allocateDirect(64);
        ByteBuffer slice = whole.slice(10, 20);
        connection.send("slice");
        stream.receive(slice, 1);
        result(1);
        assertEquals("slice", text(whole.slice(10, 5)));
        ByteBuffer heap = ByteBuffer.wrap(new byte[64], 10, 20).slice();
        connection.send("slice");
        stream.receive(heap, 2);
        result(2);
        assertEquals("slice", new String(heap.array(), 10, 5));
    }

    @Test
    void scattersOverSeveralBuffers() throws Exception {
        ByteBuffer[] buffers = {ByteBuffer.allocate(1), ByteBuffer.allocate(2), ByteBuffer.allocateDirect(3),
            ByteBuffer.allocate(0), ByteBuffer.allocate(2), ByteBuffer.allocateDirect(8), ByteBuffer.allocate(1)};
        connection.send("abcdefghij");
        stream.receive(buffers, 1, 5, "scatter");
        assertEquals(10, result("scatter").bytes());
        assertEquals(0, buffers[0].position());
        assertReceived("ab", buffers[1]);
        assertReceived("cde", buffers[2]);
        assertReceived("fg", buffers[4]);
        assertReceived("hij", buffers[5]);
        assertEquals(0, buffers[6].position());
    }

    @Test
    void severalAreServedInTheOrderInWhichTheyWereStarted() throws Exception {
        ByteBuffer[] buffers = new ByteBuffer[10];
        for (int i = 0; i < buffers.length; i++) {
            buffers[i] = ByteBuffer.allocate(1);
            stream.receive(buffers[i], i);
        }
        connection.send("0123456789");
        runUntil(() -> recorder.over() == 10);
        assertEquals(List.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9), recorder.tokens());
        for (int i = 0; i < buffers.length; i++) {
            assertReceived(String.valueOf(i), buffers[i]);
        }
    }

    @Test
    void theEndOfTheStreamFollowsTheLastByte() throws Exception {
        ByteBuffer buffer = ByteBuffer.allocate(64);
        connection.send("last");
        connection.far().close();
        stream.receive(buffer, "bytes");
        stream.receive(buffer, "end");
        stream.receive(buffer, "end again");
        assertEquals(4, result("bytes").bytes());
        assertFalse(recorder.last("bytes").end());
        for (String token : List.of("end", "end again")) {
            CompletionRecorder.Result end = result(token);
            assertTrue(end.end());
            assertEquals(-1, end.bytes());
            assertTrue(end.isSuccess());
        }
        assertReceived("last", buffer);
    }

    @Test
    void aResetIsAFailure() throws Exception {
        Connection reset = tcp();
        AsyncStream broken = async(reset.near());
        broken.receive(ByteBuffer.allocate(64), "broken");
        reset.far().setOption(NativeSocketOptions.SO_LINGER, 0);
        reset.far().close();
        CompletionRecorder.Result result = result("broken");
        assertTrue(result.isFailure());
        assertTrue(result.error().getMessage().startsWith("recv " + broken + ": ECONNRESET"),
                result.error()::getMessage);
    }

    @Test
    void fullAndReadOnlyBuffersAreRejectedImmediately() throws Exception {
        ByteBuffer full = ByteBuffer.allocate(0);
        ByteBuffer readOnly = ByteBuffer.allocate(1).asReadOnlyBuffer();
        assertThrows(IllegalArgumentException.class, () -> stream.receive(full, null));
        assertThrows(IllegalArgumentException.class, () -> stream.receive(readOnly, null));
        assertThrows(IllegalArgumentException.class, () -> stream.receive(new ByteBuffer[] {full, full}, 0, 2, null));
        assertThrows(IndexOutOfBoundsException.class, () -> stream.receive(new ByteBuffer[] {full}, 0, 2, null));
        assertThrows(NullPointerException.class, () -> stream.receive((ByteBuffer) null, null));
        // Nothing is left of them.
        connection.send("good");
        stream.receive(ByteBuffer.allocate(8), "good");
        assertEquals(4, result("good").bytes());
        runUntilIdle();
        assertEquals(List.of("good"), recorder.tokens());
    }

    @Test
    void pollWaitsAndTakesNothing() throws Exception {
        stream.poll(Interest.READ, "poll");
        stream.poll(Interest.WRITE, "writable");
        CompletionRecorder.Result writable = result("writable");
        assertEquals(EventType.WRITE, writable.result());
        assertEquals(OperationType.POLL, writable.type());
        runUntilIdle();
        assertFalse(recorder.isOver("poll"));
        connection.send("x");
        assertEquals(EventType.READ, result("poll").result());
        ByteBuffer buffer = ByteBuffer.allocate(8);
        stream.receive(buffer, "receive");
        assertEquals(1, result("receive").bytes());
        assertThrows(IllegalArgumentException.class, () -> stream.poll(Interest.NONE, null));
    }
}
