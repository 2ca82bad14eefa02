package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.spi.HandleSetKind;
import dev.sluice.eventloop.RunsOn;
import dev.sluice.reactor.Connection;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A hook that allows it is called inside of itself, for the next completion of its handle, by the loop it runs. */
@RunsOn(value = HandleSetKind.ITERATIVE, each = true)
class ReentrantHookTest extends ProactorContract {

    private static final int LEVELS = 3;

    /** Receives a byte at a time, and in the hook for each but the last runs the loop until the next one has come. */
    private final class Nesting implements CompletionHandler {

        private final List<String> noted = new ArrayList<>();
        private final Connection connection;
        private final AsyncStream stream;
        private int depth;
        private int received;

        Nesting(Connection connection) throws Exception {
            this.connection = connection;
            this.stream = new AsyncStream(proactor, connection.near(), this);
        }

        @Override
        public boolean isReentrant() {
            return true;
        }

        @Override
        public void handleCompletion(Completion completion) throws Exception {
            int own = ++received;
            noted.add("begin " + own + " at " + ++depth);
            if (own % LEVELS != 0) {
                stream.receive(ByteBuffer.allocateDirect(1), null);
                connection.send("x");
                for (int i = 0; i < 50 && received == own; i++) {
                    proactor.runOnce(Duration.ofMillis(100));
                }
            }
            assertTrue(completion.isSuccess());
            noted.add("end " + own);
            depth--;
        }
    }

    @Test
    void loopOfAHookDispatchesItsOwnHandle() throws Exception {
        Nesting handler = new Nesting(unix());
        for (int round = 0; round < 3; round++) {
            handler.stream.receive(ByteBuffer.allocateDirect(1), null);
            handler.connection.send("x");
            int expected = (round + 1) * LEVELS;
            runUntil(() -> handler.received == expected);
            assertEquals(0, handler.depth);
        }
        assertEquals(List.of("begin 1 at 1", "begin 2 at 2", "begin 3 at 3", "end 3", "end 2", "end 1"),
                handler.noted.subList(0, 2 * LEVELS));
    }

    /** The other handle's hook encloses that of the re-entrant one, and is not entered again. */
    @Test
    void handleOfAnEnclosingHookStaysDeferred() throws Exception {
        Nesting handler = new Nesting(unix());
        Connection other = unix();
        int[] depth = {0};
        int[] calls = {0};
        AsyncStream[] stream = new AsyncStream[1];
        stream[0] = new AsyncStream(proactor, other.near(), completion -> {
            assertEquals(1, ++depth[0]);
            if (++calls[0] == 1) {
                stream[0].receive(ByteBuffer.allocateDirect(1), null);
                other.send("b");
                handler.stream.receive(ByteBuffer.allocateDirect(1), null);
                handler.connection.send("x");
                runUntil(() -> handler.received == LEVELS);
                assertEquals(1, calls[0]);
            }
            depth[0]--;
        });
        stream[0].receive(ByteBuffer.allocateDirect(1), null);
        other.send("a");
        runUntil(() -> calls[0] == 2);
        assertEquals(2 * LEVELS, handler.noted.size());
    }
}
