package dev.sluice.proactor;

import static dev.sluice.handle.Bytes.assertBytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.Bytes;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.Connection;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag(Depth.IN_QUICK)
class StreamSendTest extends ProactorContract {

    /** More than any socket holds, and no multiple of anything. */
    private static final int MANY = 5 * 1024 * 1024 + 4321;

    private Connection connection;
    private AsyncStream stream;

    @BeforeEach
    void connect() throws IOException {
        connection = unix();
        stream = async(connection.near());
    }

    /** A peer that receives little at a time. */
    private static OtherThread<byte[]> slowReader(SocketStream far, int count) {
        return OtherThread.start(() -> {
            ByteBuffer all = ByteBuffer.allocate(count);
            while (all.hasRemaining()) {
                ByteBuffer piece = all.slice(all.position(), Math.min(30_000, all.remaining()));
                far.receiveFully(piece, LIMIT);
                all.position(all.position() + piece.position());
                Thread.yield();
            }
            return all.array();
        });
    }

    @Test
    void sendsEveryByteToASlowReader() throws Exception {
        byte[] bytes = Bytes.random(MANY);
        for (Connection each : List.of(connection, tcp())) {
            AsyncStream to = each == connection ? stream : async(each.near());
            for (ByteBuffer source : List.of(ByteBuffer.wrap(bytes), direct(bytes))) {
                OtherThread<byte[]> reader = slowReader(each.far(), MANY);
                Object token = new Object();
                to.send(source, token);
                assertEquals(MANY, result(token).bytes());
                assertFalse(source.hasRemaining());
                assertBytes(bytes, reader.result());
            }
        }
    }

    @Test
    void whatThePeerDoesNotTakeIsNotSent() throws Exception {
        stream.send(ByteBuffer.allocate(MANY), "slow");
        runUntilIdle();
        assertFalse(recorder.isOver("slow"));
        stream.send(heap("x"), "after");
        OtherThread<byte[]> reader = slowReader(connection.far(), MANY + 1);
        assertEquals(1, result("after").bytes());
        assertEquals(MANY, recorder.last("slow").bytes());
        assertEquals('x', reader.result()[MANY]);
    }

    @Test
    void whatAnotherThreadHasStartedComesFirst() throws Exception {
        runUntilIdle();
        OtherThread.start(() -> stream.send(heap("one, "), "first")).result();
        stream.send(heap("two"), "second");
        result("first");
        result("second");
        assertEquals("one, two", receive(connection, 8));
    }

    @Test
    void gathersManyBuffersOfEitherKind() throws Exception {
        byte[] bytes = Bytes.random(MANY);
        // More than one call takes, with empty ones in between.
        int count = 50;
        int length = MANY / count;
        ByteBuffer[] sources = new ByteBuffer[count + 2];
        sources[0] = heap("not this one");
        int at = 0;
        for (int i = 1; i <= count; i++) {
            int part = i == count ? MANY - at : i % 7 == 0 ? 0 : length;
            ByteBuffer whole = i % 2 == 0 ? direct(bytes) : ByteBuffer.wrap(bytes);
            sources[i] = whole.slice(at, part);
            at += part;
        }
        sources[count + 1] = heap("nor this");
        OtherThread<byte[]> reader = slowReader(connection.far(), MANY);
        stream.send(sources, 1, count, "gather");
        assertEquals(MANY, result("gather").bytes());
        assertBytes(bytes, reader.result());
        assertTrue(IntStream.rangeClosed(1, count).noneMatch(i -> sources[i].hasRemaining()));
        assertEquals(12, sources[0].remaining());
        assertEquals(8, sources[count + 1].remaining());
    }

    @Test
    void sendSomeSendsWhatFits() throws Exception {
        for (ByteBuffer source : List.of(ByteBuffer.allocateDirect(MANY), ByteBuffer.allocate(MANY))) {
            Object token = new Object();
            stream.sendSome(source, token);
            CompletionRecorder.Result some = result(token);
            assertTrue(some.bytes() > 0 && some.bytes() < MANY, some::toString);
            assertEquals(some.bytes(), source.position());
            connection.drain((int) some.bytes());
        }
    }

    @Test
    void sendsArriveInTheOrderInWhichTheyWereStarted() throws Exception {
        ByteBuffer all = ByteBuffer.wrap(Bytes.random(MANY));
        int count = 100;
        int length = MANY / count;
        for (int i = 0; i < count; i++) {
            ByteBuffer piece = all.slice(i * length, length);
            if (i % 3 == 0) {
                stream.send(piece, i);
            } else if (i % 3 == 1) {
                stream.send(ByteBuffer.allocateDirect(length).put(piece).flip(), i);
            } else {
                stream.send(new ByteBuffer[] {piece.slice(0, 100), piece.slice(100, length - 100)}, 0, 2, i);
            }
        }
        OtherThread<byte[]> reader = slowReader(connection.far(), count * length);
        runUntil(() -> recorder.over() == count);
        assertEquals(IntStream.range(0, count).boxed().toList(), recorder.tokens());
        byte[] received = reader.result();
        assertEquals(all.slice(0, count * length), ByteBuffer.wrap(received));
    }

    @Test
    void sendsAndReceivesDoNotWaitForEachOther() throws Exception {
        ByteBuffer room = ByteBuffer.allocate(8);
        stream.receive(room, "receive");
        stream.send(heap("question"), "send");
        assertEquals(8, result("send").bytes());
        assertEquals("question", receive(connection, 8));
        connection.send("answer");
        assertEquals(6, result("receive").bytes());
    }

    @Test
    void anEmptySendSucceeds() throws Exception {
        stream.send(ByteBuffer.allocate(0), 1);
        stream.send(new ByteBuffer[] {ByteBuffer.allocate(0)}, 0, 1, 2);
        stream.send(new ByteBuffer[0], 0, 0, 3);
        stream.send(ByteBuffer.allocateDirect(0), 4);
        runUntil(() -> recorder.over() == 4);
        recorder.results().forEach(result -> {
            assertTrue(result.isSuccess(), result::toString);
            assertEquals(0, result.bytes());
        });
    }

    @Test
    void thePeerSeesTheEndAfterWhatWasSentBefore() throws Exception {
        stream.send(ByteBuffer.allocate(MANY), "bytes");
        stream.shutdownOutput("end");
        runUntilIdle();
        assertFalse(recorder.isOver("end"));
        OtherThread<Boolean> reader = OtherThread.start(() -> {
            connection.drain(MANY);
            return connection.far().receiveFully(ByteBuffer.allocate(1), LIMIT);
        });
        CompletionRecorder.Result end = result("end");
        assertEquals(OperationType.SHUTDOWN, end.type());
        assertTrue(end.isSuccess());
        assertEquals(List.of("bytes", "end"), recorder.tokens());
        assertFalse(reader.result(), "there is more");
        // The other direction is open.
        connection.send("still");
        stream.receive(ByteBuffer.allocate(8), "receive");
        assertEquals(5, result("receive").bytes());
        stream.send(heap("too late"), "late");
        assertTrue(result("late").isFailure());
    }

    @Tag(CalledSystem.NOT_WINDOWS)
    @Test
    void aPeerThatIsGoneIsAFailureAndNoSignal() throws Exception {
        // Only there the first send tells.
        connection.far().close();
        stream.send(heap("unread"), "send");
        CompletionRecorder.Result failed = result("send");
        assertTrue(failed.isFailure());
        assertEquals("send " + stream + ": EPIPE (broken pipe)", failed.error().getMessage());
    }

    @Test
    void bufferPositionShowsWhatWasSentBeforeTheFailure() throws Exception {
        for (ByteBuffer source : List.of(ByteBuffer.allocate(MANY), ByteBuffer.allocateDirect(MANY))) {
            Connection broken = unix();
            Object token = new Object();
            async(broken.near()).send(source, token);
            runUntilIdle();
            broken.far().close();
            CompletionRecorder.Result failed = result(token);
            assertTrue(failed.isFailure());
            assertEquals(0, failed.bytes());
            assertTrue(source.position() > 0 && source.hasRemaining(), source::toString);
        }
    }
}
