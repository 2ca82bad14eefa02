package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.reactor.Connection;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Cancelling one operation, or all. */
@Tag(Depth.IN_QUICK)
class TicketTest extends ProactorContract {

    private Connection connection;
    private AsyncStream stream;

    @BeforeEach
    void connect() throws IOException {
        connection = unix();
        stream = async(connection.near());
    }

    private long receive(Object token) {
        return stream.receive(ByteBuffer.allocate(8), token);
    }

    @Test
    void cancelsThatOperationOnly() throws Exception {
        long[] tickets = {receive(0), receive(1), receive(2), receive(3)};
        long polling = stream.poll(Interest.READ, "poll");
        for (boolean running : new boolean[] {false, true}) {
            if (running) {
                runUntilIdle();
            }
            int which = running ? 0 : 2;
            stream.cancel(tickets[which]);
            assertTrue(result(which).isCancelled());
        }
        runUntilIdle();
        assertEquals(Set.of(0, 2), new HashSet<>(recorder.tokens()));
        stream.cancel(polling);
        assertTrue(result("poll").isCancelled());
        connection.send("x");
        assertEquals(1, result(1).bytes());
        connection.send("yz");
        assertEquals(2, result(3).bytes());
        assertEquals(5, recorder.results().size());
    }

    @Test
    void allAreThoseOfOtherThreadsToo() throws Exception {
        runUntilIdle();
        OtherThread.start(() -> receive("theirs")).result();
        stream.cancel();
        assertTrue(result("theirs").isCancelled());
    }

    @Test
    void isAnotherForEachStart() throws Exception {
        Set<Long> tickets = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            tickets.add(receive(i));
            tickets.add(stream.send(heap("x"), "send " + i));
            connection.send("x");
            result(i);
            result("send " + i);
        }
        assertEquals(200, tickets.size());
    }

    @Test
    void isHarmlessWhenItsOperationIsOver() throws Exception {
        long stale = receive("first");
        connection.send("x");
        result("first");
        stream.cancel(stale);
        long fresh = receive("second");
        assertNotEquals(stale, fresh);
        stream.cancel(stale);
        runUntilIdle();
        stream.cancel(stale);
        runUntilIdle();
        assertFalse(recorder.isOver("second"));
        connection.send("x");
        assertEquals(1, result("second").bytes());
        // After a cancellation as well.
        long cancelled = receive("third");
        stream.cancel(cancelled);
        stream.cancel(cancelled);
        assertTrue(result("third").isCancelled());
        receive("fourth");
        stream.cancel(cancelled);
        runUntilIdle();
        connection.send("x");
        assertEquals(1, result("fourth").bytes());
    }

    @Test
    void isHarmlessInTheHookOfItsOperation() throws Exception {
        long[] ticket = new long[1];
        recorder.on(OperationType.RECEIVE, completion -> {
            stream.cancel(ticket[0]);
            if (completion.token().equals("first")) {
                receive("second");
                stream.cancel(ticket[0]);
            }
        });
        ticket[0] = receive("first");
        connection.send("x");
        result("first");
        runUntilIdle();
        assertFalse(recorder.isOver("second"));
        connection.send("x");
        assertEquals(1, result("second").bytes());
    }

    @Test
    void aLateOneOfAnotherThreadCancelsNoOtherOperation() throws Exception {
        int rounds = 300;
        runInBackground();
        for (int i = 0; i < rounds; i++) {
            long ticket = receive(i);
            int round = i;
            OtherThread<Void> sender = OtherThread.start(() -> {
                connection.send("x");
                return null;
            });
            stream.cancel(ticket);
            OtherThread.await(() -> recorder.isOver(round));
            // By then it is too late, and the next operation may have been started with the same initiation.
            receive("next " + i);
            stream.cancel(ticket);
            sender.result();
            if (!recorder.last(i).isCancelled()) {
                connection.send("y");
            }
            OtherThread.await(() -> recorder.isOver("next " + round));
            assertEquals(1, recorder.last("next " + i).bytes());
        }
        assertEquals(2 * rounds, recorder.results().size());
    }

    @Test
    void allAreCancelledAtOnce() throws Exception {
        for (int i = 0; i < 5; i++) {
            receive(i);
        }
        stream.send(ByteBuffer.allocateDirect(8 * 1024 * 1024), 5);
        stream.send(heap("never"), 6);
        stream.poll(Interest.READ, 7);
        runUntilIdle();
        assertEquals(0, recorder.over());
        stream.cancel();
        runUntil(() -> recorder.over() == 8);
        runUntilIdle();
        assertEquals(8, recorder.results().size());
        recorder.results().forEach(result -> assertTrue(result.isCancelled() && result.last(), result::toString));
        // The stream is good for more.
        receive("more");
        connection.send("x");
        assertEquals(1, result("more").bytes());
    }

    @Test
    void whatIsStartedAfterwardsIsNotCancelled() throws Exception {
        receive("before");
        runUntilIdle();
        stream.cancel();
        receive("after");
        assertTrue(result("before").isCancelled());
        runUntilIdle();
        assertFalse(recorder.isOver("after"));
        connection.send("x");
        assertEquals(1, result("after").bytes());
    }

    @Test
    void cancellingNothingDoesNothing() throws Exception {
        stream.cancel();
        runUntilIdle();
        receive("first");
        connection.send("x");
        assertEquals(1, result("first").bytes());
        stream.cancel();
        runUntilIdle();
        assertEquals(1, recorder.results().size());
    }

    @Test
    void anotherThreadCancelsOneAndAll() throws Exception {
        runInBackground();
        for (int i = 0; i < 500; i++) {
            int base = i * 3;
            long first = receive(base);
            receive(base + 1);
            receive(base + 2);
            stream.cancel(first);
            OtherThread.await(() -> recorder.isOver(base));
            assertTrue(recorder.last(base).isCancelled());
            assertFalse(recorder.isOver(base + 1));
            stream.cancel();
            OtherThread.await(() -> recorder.isOver(base + 1) && recorder.isOver(base + 2));
            assertTrue(recorder.last(base + 1).isCancelled() && recorder.last(base + 2).isCancelled());
        }
        assertEquals(1500, recorder.results().size());
    }

    @Test
    void aContinuousReceiveIsCancelledOnce() throws Exception {
        long ticket = stream.receiveContinuously("all");
        connection.send("x");
        runUntil(() -> recorder.results().size() == 1);
        stream.cancel(ticket);
        stream.cancel(ticket);
        stream.cancel();
        assertTrue(result("all").isCancelled());
        runUntilIdle();
        assertEquals(List.of(false, true), recorder.results().stream().map(CompletionRecorder.Result::last).toList());
        // What comes now is left in the socket.
        connection.send("later");
        runUntilIdle();
        receive("next");
        assertEquals(5, result("next").bytes());
    }
}
