package dev.sluice.connection;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.eventloop.spi.AcceptorMember;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ConnectionsTest {

    private static final Duration LATER = Duration.ofDays(1);
    private static final int SHARED = 4096;

    private final List<String> calls = Collections.synchronizedList(new ArrayList<>());
    private final Connections connections = new Connections();
    private final Listener acceptor = new Listener();

    /** A listening socket that a test controls. */
    private final class Listener extends AcceptorMember {

        private int resumed;

        Listener() {
            super(Runnable::run);
        }

        @Override
        public void resume() {
            resumed++;
        }

        @Override
        protected void finish() {
            calls.add("finish acceptor");
            connections.remove(this);
        }

        @Override
        protected void endNow() {
            throw new AssertionError("it has been removed");
        }
    }

    /** {@return a connection that has been accepted} */
    private StandInConnection open(String name) {
        assertTrue(connections.reserve(acceptor));
        StandInConnection connection = new StandInConnection(name, calls);
        connections.add(connection.member, connection);
        return connection;
    }

    private int result(CompletableFuture<Integer> stop) throws Exception {
        return stop.get(30, TimeUnit.SECONDS);
    }

    @Test
    void countsWhatIsOpen() {
        assertEquals(0, connections.count());
        StandInConnection first = open("first");
        StandInConnection second = open("second");
        assertEquals(2, connections.count());
        List<Connection> seen = new ArrayList<>();
        connections.forEach(seen::add);
        assertTrue(seen.size() == 2 && seen.containsAll(List.of(first, second)));
        connections.remove(first.member);
        connections.remove(first.member);
        assertEquals(1, connections.count());
        StandInConnection successor = new StandInConnection("successor", calls);
        connections.add(second.member, successor);
        connections.forEach(each -> assertSame(successor, each));
    }

    @Test
    void acceptorsWaitAtTheLimit() {
        connections.add(acceptor);
        assertSame(connections, connections.limit(2));
        StandInConnection first = open("first");
        assertTrue(connections.reserve(acceptor));
        assertFalse(connections.reserve(acceptor));
        assertEquals(0, acceptor.resumed);
        connections.release(acceptor);
        assertEquals(1, acceptor.resumed);
        StandInConnection second = open("second");
        assertEquals(1, acceptor.resumed, "nothing waits");
        connections.remove(first.member);
        assertEquals(1, acceptor.resumed, "nothing waits");
        open("third");
        assertFalse(connections.reserve(acceptor));
        connections.remove(second.member);
        assertEquals(2, acceptor.resumed);
    }

    @Test
    void theLimitMayBeChanged() {
        connections.add(acceptor);
        connections.limit(1);
        StandInConnection first = open("first");
        assertFalse(connections.reserve(acceptor));
        connections.limit(3);
        assertEquals(1, acceptor.resumed);
        StandInConnection second = open("second");
        connections.limit(1);
        assertFalse(connections.reserve(acceptor));
        connections.remove(first.member);
        assertEquals(1, acceptor.resumed, "there are still as many as there may be");
        connections.remove(second.member);
        assertEquals(2, acceptor.resumed);
        assertThrows(IllegalArgumentException.class, () -> connections.limit(0));
    }

    @Test
    void anAcceptorThatCannotResumeKeepsNoOtherFromIt() {
        connections.add(new AcceptorMember(Runnable::run) {
            @Override
            public void resume() {
                throw new LinkageError("thrown by the test");
            }

            @Override
            protected void finish() {
                throw new AssertionError("not stopped");
            }

            @Override
            protected void endNow() {
                throw new AssertionError("not stopped");
            }
        });
        connections.add(acceptor);
        connections.limit(1);
        StandInConnection first = open("first");
        assertFalse(connections.reserve(acceptor));
        connections.remove(first.member);
        assertEquals(1, acceptor.resumed);
    }

    @Test
    void broadcastsReachThoseThatAreOpen() {
        for (int size : new int[] {1, SHARED - 1, SHARED, 3 * SHARED}) {
            calls.clear();
            Connections all = new Connections();
            StandInConnection[] each = new StandInConnection[4];
            for (int i = 0; i < each.length; i++) {
                each[i] = new StandInConnection("c" + i, calls);
                all.reserve(acceptor);
                all.add(each[i].member, each[i]);
            }
            each[1].ended = true;
            each[2].failure = new IllegalStateException("closeWhenSent() was called before");
            each[3].failure = new StackOverflowError("thrown by the test");
            ByteBuffer bytes = ByteBuffer.wrap(("xx" + "b".repeat(size) + "yy").getBytes(ISO_8859_1));
            bytes.position(2).limit(2 + size);
            assertEquals(1, all.broadcast(bytes));
            assertEquals(2, bytes.position());
            assertEquals(2 + size, bytes.limit());
            assertEquals("b".repeat(size), each[0].sent.toString());
            assertEquals(List.of("close c3"), calls);
        }
    }

    @Test
    void aBroadcastFromAnotherThreadIsCopiedOnce() {
        StandInConnection first = open("first");
        StandInConnection second = open("second");
        assertEquals(2, connections.broadcast(ByteBuffer.allocate(SHARED)));
        assertEquals(1, first.byReference);
        assertEquals(1, second.byReference);
        assertEquals(2, connections.broadcast(ByteBuffer.allocate(1)));
        assertEquals(1, first.byReference);
    }

    @Test
    void aStopAsksAllAndWaitsForThem() throws Exception {
        connections.add(acceptor);
        StandInConnection first = open("first");
        StandInConnection second = open("second");
        CompletableFuture<Integer> stop = connections.stop(LATER).toCompletableFuture();
        assertEquals("finish acceptor", calls.get(0));
        assertTrue(calls.size() == 3 && calls.containsAll(List.of("finish first", "finish second")));
        connections.remove(first.member);
        assertFalse(stop.isDone());
        StandInConnection late = open("late");
        assertEquals("finish late", calls.get(3));
        connections.remove(second.member);
        connections.remove(late.member);
        assertEquals(0, result(stop));
        assertEquals(0, result(connections.stop(LATER).toCompletableFuture()));
        Listener lateAcceptor = new Listener();
        connections.add(lateAcceptor);
        assertEquals("finish acceptor", calls.get(4));
    }

    @Test
    void aStopEndsWhatIsLeft() throws Exception {
        open("first");
        open("second");
        CompletableFuture<Integer> later = connections.stop(LATER).toCompletableFuture();
        assertEquals(2, result(connections.stop(Duration.ofMillis(20)).toCompletableFuture()));
        assertEquals(2, result(later));
        assertTrue(calls.size() == 4 && calls.subList(2, 4).containsAll(List.of("end first", "end second")));
        assertThrows(IllegalArgumentException.class, () -> connections.stop(Duration.ofMillis(-1)));
    }

    @Test
    void aStopWithoutConnectionsIsOverAtOnce() throws Exception {
        assertEquals(0, result(connections.stop(LATER).toCompletableFuture()));
    }

    @Test
    void connectionsOfClosedLoopsHoldUpNoStop() throws Exception {
        StandInConnection onClosed = new StandInConnection("first", calls, task -> {
            throw new RejectedExecutionException("closed");
        });
        assertTrue(connections.reserve(acceptor));
        connections.add(onClosed.member, onClosed);
        StandInConnection open = open("open");
        CompletableFuture<Integer> stop = connections.stop(LATER).toCompletableFuture();
        assertEquals(List.of("finish open"), calls);
        connections.remove(open.member);
        connections.remove(onClosed.member);
        assertEquals(0, result(stop));
    }
}
