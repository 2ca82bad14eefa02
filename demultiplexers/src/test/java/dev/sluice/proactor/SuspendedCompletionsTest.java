package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.handle.Handle;
import dev.sluice.reactor.Connection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A hook that runs the loop is not entered again: its handle's completions wait until it has returned, in order. */
class SuspendedCompletionsTest extends ProactorContract {

    private static final int ROUNDS = 50;

    private int depth;
    private int deepest;
    private int posted;

    /** Calls the hook for a completion, and notes how deep it is inside of others. */
    private CompletionHandler nesting(CompletionRecorder.Reaction reaction) {
        return completion -> {
            recorder.handleTimeout(completion.type() + " " + completion.token());
            depth++;
            deepest = Math.max(depth, deepest);
            try {
                reaction.to(completion);
            } catch (AssertionError e) {
                noteFailure(e);
                throw e;
            } finally {
                depth--;
            }
        };
    }

    /** Runs the loop long enough for everything that may be dispatched. */
    private void runTheLoop() throws IOException {
        for (int i = 0; i < ROUNDS; i++) {
            int expected = posted + 1;
            proactor.post(completion -> posted++, null, 0);
            runUntil(() -> posted >= expected);
        }
    }

    private List<String> order() {
        return recorder.timeouts();
    }

    @Test
    void whatItsHandleReceivesInTheMeantimeComesAfterwards() throws Exception {
        Connection connection = unix();
        StringBuilder received = new StringBuilder();
        new AsyncStream(proactor, connection.near(), nesting(completion -> {
            if (!completion.isLast()) {
                received.append(text(completion.buffer().bytes()));
                if (received.length() < 5) {
                    int before = received.length();
                    connection.send(String.valueOf(before));
                    runTheLoop();
                    assertEquals(before, received.length());
                }
            }
        })).receiveContinuously(null);
        connection.send("0");
        runUntil(() -> received.length() == 5);
        assertEquals("01234", received.toString());
        assertEquals(1, deepest);
    }

    @Test
    void whatItHasStartedCompletesAfterwardsInOrder() throws Exception {
        Connection connection = unix();
        AsyncStream[] stream = new AsyncStream[1];
        stream[0] = new AsyncStream(proactor, connection.near(), nesting(completion -> {
            if (completion.token().equals("first")) {
                for (int i = 0; i < 5; i++) {
                    stream[0].receive(ByteBuffer.allocate(1), i);
                }
                connection.send("56789");
                runTheLoop();
                assertEquals(1, order().size());
            }
        }));
        stream[0].receive(ByteBuffer.allocate(1), "first");
        connection.send("x");
        runUntil(() -> order().size() == 6);
        assertEquals(List.of("RECEIVE first", "RECEIVE 0", "RECEIVE 1", "RECEIVE 2", "RECEIVE 3", "RECEIVE 4"),
                order());
        assertEquals(1, deepest);
    }

    /** Hooks of one batch run the loop one after the other, and the first of these runs brings nothing. */
    @Test
    void aRunThatBringsNothingChangesNoOrder() throws Exception {
        Connection connection = unix();
        int[] received = {0};
        AsyncStream stream = new AsyncStream(proactor, connection.near(), nesting(completion -> {
            assertEquals(completion.isEndOfStream(), received[0] == 100_000, "the end comes last");
            received[0] += (int) Math.max(completion.bytesTransferred(), 0);
            if (order().size() == 2) {
                connection.far().shutdownOutput();
            }
            if (order().size() <= 2) {
                int before = order().size();
                proactor.runOnce(Duration.ZERO);
                assertEquals(before, order().size());
            }
        }));
        connection.send("x".repeat(100_000));
        stream.receiveContinuously(null);
        runUntil(() -> received[0] == 100_000 && order().size() > 2);
        assertEquals(1, deepest);
    }

    /** What one wait has brought of the handle is left as well. */
    @Test
    void theRestOfABatchWaitsToo() throws Exception {
        Connection connection = unix();
        Connection other = unix();
        List<Object> others = new ArrayList<>();
        AsyncStream stream = new AsyncStream(proactor, connection.near(), nesting(completion -> runTheLoop()));
        AsyncStream otherStream = new AsyncStream(proactor, other.near(),
                completion -> {
                    others.add(completion.token());
                    runTheLoop();
                });
        runUntilIdle();
        connection.send("012345");
        other.send("012345");
        for (int i = 0; i < 6; i++) {
            stream.receive(ByteBuffer.allocate(1), i);
            otherStream.receive(ByteBuffer.allocate(1), i);
        }
        runUntil(() -> order().size() == 6 && others.size() == 6);
        for (int i = 0; i < 6; i++) {
            assertEquals("RECEIVE " + i, order().get(i));
            assertEquals(i, others.get(i));
        }
        assertEquals(1, deepest);
    }

    @Test
    void hooksInsideOfOneAnotherAreAllSuspended() throws Exception {
        List<Connection> connections = new ArrayList<>();
        List<String> calls = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            connections.add(unix());
        }
        for (int i = 0; i < 3; i++) {
            int line = i;
            boolean[] inside = new boolean[1];
            AsyncStream stream = new AsyncStream(proactor, connections.get(line).near(), nesting(completion -> {
                calls.add(line + " " + completion.token());
                assertFalse(inside[0], "entered again");
                inside[0] = true;
                if (completion.token().equals("first")) {
                    for (int each = 0; each <= line; each++) {
                        connections.get(each).send("y");
                    }
                    if (line < 2) {
                        connections.get(line + 1).send("x");
                        runUntil(() -> calls.contains(line + 1 + " first"));
                    }
                    runTheLoop();
                }
                inside[0] = false;
            }));
            stream.receive(ByteBuffer.allocate(1), "first");
            for (int more = 0; more < 3 - line; more++) {
                stream.receive(ByteBuffer.allocate(1), more);
            }
        }
        connections.get(0).send("x");
        runUntil(() -> calls.size() == 9);
        for (int line = 0; line < 3; line++) {
            int mine = line;
            List<String> own = calls.stream().filter(call -> call.startsWith(mine + " ")).toList();
            List<String> expected = new ArrayList<>(List.of(line + " first"));
            for (int more = 0; more < 3 - line; more++) {
                expected.add(line + " " + more);
            }
            assertEquals(expected, own);
        }
        // The innermost returns first, and so its own rest may come while the outer ones wait.
        assertEquals(List.of("0 first", "1 first", "2 first"), calls.subList(0, 3));
    }

    @Test
    void operationsWithoutAHandleAreDispatchedInside() throws Exception {
        CompletionRecorder others = recorder("others");
        others.on(OperationType.POST, completion -> {
            if (completion.token().equals("outer")) {
                proactor.post(others, "inner", 0);
                runUntil(() -> others.isOver("inner"));
                proactor.timeout(others, "timeout", Duration.ofMillis(1));
                runUntil(() -> others.isOver("timeout"));
            }
        });
        proactor.post(others, "outer", 0);
        runUntil(() -> others.isOver("timeout"));
        assertEquals(List.of("outer", "inner", "timeout"), others.tokens());
        assertEquals(List.of(), others.failures());
    }

    @Test
    void anInnerRunWaitsThoughItsHandleHasCompletions() throws Exception {
        Connection connection = unix();
        Duration time = Duration.ofMillis(20);
        AsyncStream[] stream = new AsyncStream[1];
        stream[0] = new AsyncStream(proactor, connection.near(), nesting(completion -> {
            if (completion.token().equals("first")) {
                stream[0].receive(ByteBuffer.allocate(1), "second");
                runTheLoop();
                long begin = System.nanoTime();
                assertEquals(0, proactor.runOnce(time));
                assertTrue(System.nanoTime() - begin >= time.toNanos(), "the loop spins");
                recorder.handleTimeout("waited");
            }
        }));
        connection.send("xy");
        stream[0].receive(ByteBuffer.allocate(1), "first");
        runUntil(() -> order().contains("RECEIVE second"));
        assertEquals(List.of("RECEIVE first", "waited", "RECEIVE second"), order());
    }

    @Test
    void aHookThatThrowsAfterwardsLetsTheRestCome() throws Exception {
        Connection connection = unix();
        List<Object> tokens = new ArrayList<>();
        List<Throwable> failures = new ArrayList<>();
        AsyncStream stream = new AsyncStream(proactor, connection.near(), new CompletionHandler() {
            @Override
            public void handleCompletion(Completion completion) throws IOException {
                tokens.add(completion.token());
                if (tokens.size() == 1) {
                    runTheLoop();
                    throw new IOException("thrown by the test");
                }
            }

            @Override
            public void handleFailure(Handle handle, Throwable cause) {
                failures.add(cause);
            }
        });
        for (int i = 0; i < 3; i++) {
            stream.receive(ByteBuffer.allocate(1), i);
        }
        connection.send("xyz");
        runUntil(() -> tokens.size() == 3);
        assertEquals(List.of(0, 1, 2), tokens);
        assertEquals("thrown by the test", failures.get(0).getMessage());
        assertEquals(1, failures.size());
    }

    @Test
    void aHookThatClosesItsHandleIsNotifiedOfItsOperationsAfterwards() throws Exception {
        Connection connection = unix();
        AsyncStream[] stream = new AsyncStream[1];
        stream[0] = new AsyncStream(proactor, connection.near(), nesting(completion -> {
            if (completion.token().equals("first")) {
                stream[0].receive(ByteBuffer.allocate(1), "second");
                stream[0].receive(ByteBuffer.allocate(1), "third");
                connection.near().close();
                runTheLoop();
                assertEquals(1, order().size());
            } else {
                assertFalse(completion.isSuccess());
            }
        }));
        connection.send("x");
        stream[0].receive(ByteBuffer.allocate(1), "first");
        runUntil(() -> order().size() == 3);
        assertEquals(1, deepest);
    }

    @Test
    void whatIsSuspendedStillEndsWhenTheProactorCloses() throws Exception {
        Connection connection = unix();
        AsyncStream[] stream = new AsyncStream[1];
        stream[0] = new AsyncStream(proactor, connection.near(), nesting(completion -> {
            if (completion.token().equals("first")) {
                stream[0].receive(ByteBuffer.allocate(1), "second");
                stream[0].receive(ByteBuffer.allocate(1), "third");
                runTheLoop();
                proactor.close();
                assertEquals(1, order().size());
            }
        }));
        connection.send("xy");
        stream[0].receive(ByteBuffer.allocate(1), "first");
        while (proactor.isOpen()) {
            proactor.runOnce(LIMIT);
        }
        assertEquals(List.of("RECEIVE first", "RECEIVE second", "RECEIVE third"), order());
        assertEquals(1, deepest);
    }
}
