package dev.sluice.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.spi.HandleSetKind;
import dev.sluice.eventloop.RunsOn;
import dev.sluice.handle.Handle;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A hook that allows it is called inside of itself, for the next event of its handle, by the loop that it runs. */
@RunsOn(value = HandleSetKind.ITERATIVE, each = true)
class ReentrantHookTest extends ReactorContract {

    /** Reads one byte: with a question, it sends that on and runs the loop until the answer has come. */
    private final class Asking extends OneHandleHandler {

        private final Connection connection;
        private final StringBuilder received = new StringBuilder();
        private final List<String> noted = new ArrayList<>();
        private int depth;
        private int deepest;
        private int closes;
        private boolean reentrant = true;

        Asking(Connection connection) {
            this.connection = connection;
        }

        @Override
        public Handle handle() {
            return connection.near().handle();
        }

        @Override
        public boolean isReentrant() {
            return reentrant;
        }

        @Override
        public void handleInput(Registration registration) throws Exception {
            deepest = Math.max(++depth, deepest);
            try {
                ByteBuffer room = ByteBuffer.allocate(1);
                if (connection.near().receive(room) == 1) {
                    read((char) room.get(0), registration);
                }
            } finally {
                depth--;
            }
        }

        private void read(char letter, Registration registration) throws Exception {
            received.append(letter);
            noted.add("begin " + letter);
            if (letter == 'x') {
                registration.close();
            } else if (Character.isUpperCase(letter)) {
                int before = received.length();
                connection.send(Character.toString(letter + 1));
                for (int i = 0; i < 50 && received.length() == before; i++) {
                    reactor.runOnce(Duration.ofMillis(100));
                }
            }
            noted.add("end " + letter);
        }

        @Override
        public void handleClose(Registration registration) {
            closes++;
        }
    }

    private Asking asking() throws Exception {
        Asking handler = new Asking(own(Connection.unix()));
        handler.register(reactor, Interest.READ);
        return handler;
    }

    @Test
    void loopOfAHookDispatchesItsOwnHandle() throws Exception {
        Asking handler = asking();
        for (int round = 1; round <= 3; round++) {
            handler.received.setLength(0);
            handler.noted.clear();
            // Y asks for Z, which asks for the character after Z.
            handler.connection.send("Y");
            runUntil(() -> handler.received.length() == 3);
            runUntilIdle();
            assertEquals("YZ[", handler.received.toString());
            assertEquals(List.of("begin Y", "begin Z", "begin [", "end [", "end Z", "end Y"), handler.noted);
            assertEquals(3, handler.deepest);
        }
    }

    @Test
    void whatIsLeftIsReportedAfterwards() throws Exception {
        Asking handler = asking();
        handler.connection.send("Zabc");
        runUntil(() -> handler.received.length() == 5);
        runUntilIdle();
        // The connection is Unix domain: what is sent comes at once, behind what is there.
        assertEquals("Zabc[", handler.received.toString());
        assertEquals(0, handler.depth);
    }

    @Test
    void registrationThatEndsInTheInnerHookEndsOnce() throws Exception {
        Asking handler = asking();
        handler.connection.send("Zx");
        runUntil(() -> handler.closes == 1);
        runUntilIdle();
        assertEquals("Zx", handler.received.toString());
        assertFalse(handler.isRegistered());
        assertEquals(1, handler.closes);
    }

    @Test
    void handlerThatIsNotReentrantTakesOverFromOneThatIs() throws Exception {
        Connection connection = own(Connection.unix());
        Asking next = new Asking(connection);
        next.reentrant = false;
        EventHandler first = new EventHandler() {
            @Override
            public boolean isReentrant() {
                return true;
            }

            @Override
            public void handleInput(Registration registration) throws Exception {
                connection.near().receive(ByteBuffer.allocate(1));
                registration.handOver(next);
                connection.send("b");
                for (int i = 0; i < 3; i++) {
                    reactor.runOnce(Duration.ZERO);
                }
                assertEquals("", next.received.toString());
            }
        };
        reactor.register(connection.near().handle(), Interest.READ, first);
        connection.send("a");
        runUntil(() -> next.received.length() == 1);
        connection.send("c");
        runUntil(() -> next.received.length() == 2);
        assertEquals("bc", next.received.toString());
        assertEquals(1, next.deepest);
    }

    @Test
    void otherHandlesAreDispatchedToo() throws Exception {
        Asking handler = asking();
        Connection other = own(Connection.unix());
        StringBuilder received = new StringBuilder();
        reactor.register(other.near().handle(), Interest.READ, registration -> {
            ByteBuffer room = ByteBuffer.allocate(16);
            if (other.near().receive(room) > 0) {
                received.append(StandardCharsets.US_ASCII.decode(room.flip()));
            }
        });
        other.send("1");
        handler.connection.send("Z");
        other.send("2");
        runUntil(() -> received.length() == 2 && handler.received.length() == 2);
        assertEquals("12", received.toString());
        assertEquals(2, handler.deepest);
    }
}
