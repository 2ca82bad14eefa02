package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.handle.SystemCallException;
import dev.sluice.reactor.Connection;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a handler learns of an operation. */
@Tag(Depth.IN_QUICK)
class CompletionTest extends ProactorContract {

    private final List<String> seen = new ArrayList<>();
    private Connection connection;
    private AsyncStream stream;

    @BeforeEach
    void connect() throws IOException {
        connection = unix();
        stream = async(connection.near());
    }

    @Test
    void ofASuccess() throws Exception {
        Object token = new Object();
        recorder.on(OperationType.SEND, completion -> {
            seen.add(completion.toString());
            assertTrue(completion.isSuccess());
            assertNull(completion.error());
            assertNull(completion.stream());
            assertNull(completion.file());
            assertNull(completion.buffer());
            assertEquals(3, completion.result());
        });
        stream.send(heap("abc"), token);
        CompletionRecorder.Result result = result(token);
        assertEquals(List.of(), recorder.failures());
        assertSame(token, result.token());
        assertSame(stream.handle(), result.handle());
        assertEquals(OperationType.SEND, result.type());
        assertTrue(result.isSuccess());
        assertEquals(3, result.bytes());
        assertTrue(result.last());
        assertFalse(result.end());
        assertSame(Thread.currentThread(), result.thread());
        assertEquals(List.of("SEND " + stream.handle() + ": 3"), seen);
    }

    @Tag(CalledSystem.NOT_WINDOWS)
    @Test
    void ofAFailureTheErrorNamesTheCallAndTheSubject() throws Exception {
        // Only there the first send tells.
        connection.far().close();
        recorder.on(OperationType.SEND, completion -> {
            seen.add(completion.toString());
            assertFalse(completion.isSuccess());
            assertSame(completion.error(), completion.error());
            assertEquals(0, completion.result());
        });
        stream.send(heap("abc"), "failing");
        CompletionRecorder.Result result = result("failing");
        assertEquals(List.of(), recorder.failures());
        assertTrue(result.isFailure());
        assertEquals(0, result.bytes());
        assertFalse(result.end());
        SystemCallException error = (SystemCallException) result.error();
        assertEquals("send " + stream.handle() + ": EPIPE (broken pipe)", error.getMessage());
        assertEquals("EPIPE", error.errorName());
        assertEquals("send", error.call());
        assertEquals(List.of("SEND " + stream.handle() + ": EPIPE (broken pipe)"), seen);
    }

    @Test
    void ofACancellation() throws Exception {
        stream.receive(ByteBuffer.allocate(1), "cancelled");
        runUntilIdle();
        stream.cancel();
        CompletionRecorder.Result result = result("cancelled");
        assertTrue(result.isCancelled());
        assertEquals(0, result.bytes());
        assertFalse(result.end(), "a cancelled receive is not the end of the stream");
        assertTrue(result.error().getMessage().startsWith("recv " + stream.handle() + ": ECANCELED"),
                result.error()::getMessage);
    }

    @Tag(CalledSystem.NOT_WINDOWS)
    @Test
    void theErrorStaysTheSameWhenTheHandlerHasGoneOnAlready() throws Exception {
        Connection broken = unix();
        broken.far().close();
        AsyncStream[] failing = new AsyncStream[1];
        failing[0] = new AsyncStream(proactor, broken.near(), completion -> {
            if (completion.type() == OperationType.SEND) {
                failing[0].shutdownOutput(null);
                seen.add(completion.error().getMessage());
            }
        });
        failing[0].send(heap("x"), null);
        runUntil(() -> !seen.isEmpty());
        assertEquals(List.of("send " + failing[0].handle() + ": EPIPE (broken pipe)"), seen);
    }

    @Test
    void tokensTellOperationsOfOneHandlerApart() throws Exception {
        List<Connection> connections = List.of(connection, unix(), unix());
        List<AsyncStream> streams = List.of(stream, async(connections.get(1).near()), async(connections.get(2).near()));
        for (int i = 0; i < 3; i++) {
            streams.get(i).receive(ByteBuffer.allocate(8), "receive " + i);
            streams.get(i).send(heap("x"), "send " + i);
            connections.get(i).send("y".repeat(i + 1));
        }
        streams.get(0).send(heap("x"), null);
        runUntil(() -> recorder.over() == 7);
        for (int i = 0; i < 3; i++) {
            assertSame(streams.get(i).handle(), recorder.last("receive " + i).handle());
            assertEquals(i + 1, recorder.last("receive " + i).bytes());
            assertSame(streams.get(i).handle(), recorder.last("send " + i).handle());
        }
        assertNull(recorder.last(null).token());
    }

    @Test
    void oneHandlerGetsCompletionsOfAllTypes() throws Exception {
        CompletionHandler handler = completion -> seen.add(completion.type() + " " + completion.token());
        Connection other = unix();
        AsyncStream handled = new AsyncStream(proactor, other.near(), handler);
        handled.receive(ByteBuffer.allocate(1), 1);
        other.send("x");
        runUntil(() -> seen.size() == 1);
        handled.send(heap("x"), 2);
        runUntil(() -> seen.size() == 2);
        handled.poll(Interest.WRITE, 3);
        runUntil(() -> seen.size() == 3);
        handled.receiveContinuously(4);
        other.send("x");
        runUntil(() -> seen.size() == 4);
        handled.shutdownOutput(5);
        runUntil(() -> seen.size() == 5);
        handled.close(6);
        runUntil(() -> seen.size() == 7);
        proactor.post(handler, 7, 0);
        runUntil(() -> seen.size() == 8);
        List<String> atTheEnd = seen.subList(5, 7);
        assertEquals(Set.of("RECEIVE_CONTINUOUSLY 4", "CLOSE 6"), Set.copyOf(atTheEnd));
        atTheEnd.clear();
        assertEquals(List.of("RECEIVE 1", "SEND 2", "POLL 3", "RECEIVE_CONTINUOUSLY 4", "SHUTDOWN 5", "POST 7"), seen);
    }

    @Test
    void ofWhatWasPosted() throws Exception {
        proactor.post(recorder, "posted", 42);
        CompletionRecorder.Result result = result("posted");
        assertEquals(OperationType.POST, result.type());
        assertEquals(42, result.result());
        assertNull(result.handle());
    }
}
