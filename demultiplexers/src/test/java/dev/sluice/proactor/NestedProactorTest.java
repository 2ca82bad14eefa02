package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.demultiplexer.RetainedBuffer;
import dev.sluice.reactor.Connection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What was given to a hook stays its own until it returns, also when it runs the loop. */
class NestedProactorTest extends ProactorContract {

    /** More than there are provided buffers at first, so that each is used again. */
    private static final int ROUNDS = 200;
    private static final int DEPTH = 4;

    private final CompletionRecorder others = recorder("others");
    private int received;

    /** A connection whose bytes are received by other hooks while one runs the loop. */
    private Connection chatter() throws IOException {
        Connection chatter = unix();
        others.on(OperationType.RECEIVE_CONTINUOUSLY, completion -> received++);
        new AsyncStream(proactor, chatter.near(), others).receiveContinuously("chatter");
        return chatter;
    }

    /** Calls the hook for what the recorder's streams receive, and not for the end of these. */
    private void onReceive(CompletionRecorder.Reaction reaction) {
        recorder.on(OperationType.RECEIVE_CONTINUOUSLY, completion -> {
            if (!completion.isLast()) {
                reaction.to(completion);
            }
        });
    }

    /** Receives other bytes, one message at a time. */
    private void runTheLoop(Connection chatter) throws IOException {
        for (int i = 0; i < ROUNDS; i++) {
            int expected = received + 1;
            chatter.send("other");
            runUntil(() -> received == expected);
        }
    }

    private static void assertMine(String expected, Completion completion, ProvidedBuffer buffer) {
        assertEquals(OperationType.RECEIVE_CONTINUOUSLY, completion.type());
        assertEquals(expected, completion.token());
        assertEquals(expected.length(), completion.bytesTransferred());
        assertSame(buffer, completion.buffer());
        assertEquals(expected, text(buffer.bytes()));
    }

    @Test
    void aHookThatRunsTheLoopKeepsItsBufferAndItsCompletion() throws Exception {
        Connection chatter = chatter();
        Connection connection = unix();
        List<RetainedBuffer> kept = new ArrayList<>();
        onReceive(completion -> {
            ProvidedBuffer buffer = completion.buffer();
            runTheLoop(chatter);
            assertMine("mine", completion, buffer);
            kept.add(buffer.retain());
        });
        async(connection.near()).receiveContinuously("mine");
        connection.send("mine");
        runUntil(() -> !recorder.results().isEmpty());
        assertEquals(List.of(), recorder.failures());
        runTheLoop(chatter);
        assertEquals("mine", text(kept.get(0).bytes()));
        kept.get(0).close();
    }

    @Test
    void soDoHooksThatRunTheLoopInsideOfOneAnother() throws Exception {
        Connection chatter = chatter();
        List<Connection> connections = new ArrayList<>();
        List<String> ended = new ArrayList<>();
        onReceive(completion -> {
            ProvidedBuffer buffer = completion.buffer();
            int next = Integer.parseInt((String) completion.token()) + 1;
            if (next < DEPTH) {
                connections.get(next).send(String.valueOf(next));
                runUntil(() -> ended.contains(String.valueOf(next)));
            }
            runTheLoop(chatter);
            assertMine(String.valueOf(next - 1), completion, buffer);
            ended.add((String) completion.token());
        });
        for (int i = 0; i < DEPTH; i++) {
            connections.add(unix());
            async(connections.get(i).near()).receiveContinuously(String.valueOf(i));
        }
        // Twice, since what a level has used may be used again.
        for (int i = 0; i < 2; i++) {
            ended.clear();
            connections.get(0).send("0");
            runUntil(() -> ended.size() == DEPTH);
            assertEquals(List.of(), recorder.failures());
            assertEquals(List.of("3", "2", "1", "0"), ended);
        }
    }

    /** The inner run dispatches what the outer one has collected and not come to. */
    @Test
    void theRestOfABatchStaysAsItIsToo() throws Exception {
        Connection chatter = chatter();
        List<Connection> connections = List.of(unix(), unix(), unix());
        List<ProvidedBuffer> buffers = new ArrayList<>();
        onReceive(completion -> {
            ProvidedBuffer buffer = completion.buffer();
            buffers.add(buffer);
            runUntil(() -> buffers.size() == connections.size());
            runTheLoop(chatter);
            assertMine((String) completion.token(), completion, buffer);
        });
        for (int i = 0; i < connections.size(); i++) {
            async(connections.get(i).near()).receiveContinuously("number " + i);
        }
        runUntilIdle();
        for (int i = 0; i < connections.size(); i++) {
            connections.get(i).send("number " + i);
        }
        runUntil(() -> recorder.results().size() == connections.size());
        assertEquals(List.of(), recorder.failures());
        assertNotSame(buffers.get(0), buffers.get(1));
        assertNotSame(buffers.get(1), buffers.get(2));
    }

    /** Buffers of hooks that have returned go back although the hook around them has not. */
    @Test
    void aLongInnerRunDoesNotUseTheBuffersUp() throws Exception {
        Connection chatter = chatter();
        boolean[] ran = new boolean[1];
        recorder.on(OperationType.POST, completion -> {
            for (int i = 0; i < 10; i++) {
                runTheLoop(chatter);
            }
            ran[0] = true;
        });
        proactor.post(recorder, "post", 1);
        runUntil(() -> ran[0]);
        assertTrue(received >= 10 * ROUNDS);
    }
}
