package dev.sluice.connection;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.eventloop.spi.AcceptorMember;
import dev.sluice.eventloop.spi.LoopMember;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
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

    /** {@return a loop member for an accepted connection} */
    private LoopMember open(String name) {
        return open(name, Runnable::run, new PlayedConnection(false));
    }

    private LoopMember open(String name, Executor loop, Connection connection) {
        LoopMember member = new LoopMember(loop) {
            @Override
            protected void finish() {
                calls.add("finish " + name);
            }

            @Override
            protected void endNow() {
                calls.add("end " + name);
            }
        };
        assertTrue(connections.reserve(acceptor));
        connections.add(member, connection);
        return member;
    }

    /** {@return a connection whose send buffer takes many bytes} */
    private PlayedConnection connect() {
        PlayedConnection connection = new PlayedConnection(false);
        connection.take(10 * SHARED);
        open("connection", Runnable::run, connection);
        return connection;
    }

    private int result(CompletableFuture<Integer> stop) throws Exception {
        return stop.get(30, TimeUnit.SECONDS);
    }

    @Test
    void countsOpenConnections() {
        assertEquals(0, connections.count());
        PlayedConnection first = new PlayedConnection(false);
        LoopMember member = open("first", Runnable::run, first);
        PlayedConnection second = new PlayedConnection(false);
        LoopMember other = open("second", Runnable::run, second);
        assertEquals(2, connections.count());
        List<Connection> seen = new ArrayList<>();
        connections.forEach(seen::add);
        assertTrue(seen.size() == 2 && seen.containsAll(List.of(first, second)));
        connections.remove(member);
        connections.remove(member);
        assertEquals(1, connections.count());
        connections.add(other, first);
        connections.forEach(each -> assertSame(first, each));
        assertEquals(1, connections.count());
    }

    @Test
    void acceptorsWaitAtTheLimit() {
        assertSame(connections, connections.limit(2));
        connections.add(acceptor);
        LoopMember first = open("first");
        assertTrue(connections.reserve(acceptor));
        assertFalse(connections.reserve(acceptor));
        assertEquals(0, acceptor.resumed);
        connections.release(acceptor);
        assertEquals(1, acceptor.resumed);
        LoopMember second = open("second");
        assertEquals(1, acceptor.resumed, "nothing waits");
        connections.remove(first);
        assertEquals(1, acceptor.resumed, "nothing waits");
        open("third");
        assertFalse(connections.reserve(acceptor));
        connections.remove(second);
        assertEquals(2, acceptor.resumed);
    }

    @Test
    void theLimitMayBeChanged() {
        connections.limit(1);
        connections.add(acceptor);
        LoopMember first = open("first");
        assertFalse(connections.reserve(acceptor));
        connections.limit(3);
        assertEquals(1, acceptor.resumed);
        LoopMember second = open("second");
        connections.limit(1);
        assertFalse(connections.reserve(acceptor));
        connections.remove(first);
        assertEquals(1, acceptor.resumed, "there are still as many as there may be");
        connections.remove(second);
        assertEquals(2, acceptor.resumed);
        assertThrows(IllegalArgumentException.class, () -> connections.limit(0));
    }

    /** For those that accept beyond it. */
    @Test
    void acceptorsAreResumedWhenALimitIsSet() {
        connections.add(acceptor);
        connections.limit(1);
        assertEquals(1, acceptor.resumed);
        connections.limit(2);
        assertEquals(1, acceptor.resumed);
    }

    @Test
    void acceptorThatFailsToResumeDoesNotAffectOthers() {
        connections.limit(1);
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
        LoopMember first = open("first");
        assertFalse(connections.reserve(acceptor));
        connections.remove(first);
        assertEquals(1, acceptor.resumed);
    }

    @Test
    void broadcastReachesOpenConnections() {
        int reached = 0;
        for (int size : new int[] {1, SHARED - 1, SHARED, 3 * SHARED}) {
            PlayedConnection open = connect();
            PlayedConnection closed = connect();
            closed.close();
            PlayedConnection closing = connect();
            closing.closeWhenSent();
            PlayedConnection reset = connect();
            reset.failure = new IOException("reset by peer");
            PlayedConnection failing = connect();
            failing.error = new StackOverflowError("thrown by the test");
            failing.events();
            ByteBuffer bytes = ByteBuffer.wrap(("xx" + "b".repeat(size) + "yy").getBytes(ISO_8859_1));
            bytes.position(2).limit(2 + size);
            reached++;
            assertEquals(reached, connections.broadcast(bytes), "size " + size);
            assertEquals(2, bytes.position());
            assertEquals(2 + size, bytes.limit());
            assertEquals("b".repeat(size), open.received());
            assertTrue(failing.events().contains("close"));
        }
    }

    @Test
    void aBroadcastOfAnotherThreadReachesAllInOrder() throws Exception {
        PlayedConnection first = connect();
        PlayedConnection second = connect();
        FutureTask<Integer> broadcast = new FutureTask<>(() ->
                connections.broadcast(ByteBuffer.wrap("ab".repeat(SHARED).getBytes(ISO_8859_1)))
                        + connections.broadcast(ByteBuffer.wrap("end".getBytes(ISO_8859_1))));
        Thread thread = new Thread(broadcast);
        thread.start();
        assertEquals(4, broadcast.get(30, TimeUnit.SECONDS));
        thread.join();
        first.runTasks();
        second.runTasks();
        assertEquals("ab".repeat(SHARED) + "end", first.received());
        assertEquals("ab".repeat(SHARED) + "end", second.received());
    }

    @Test
    void stopAsksAllConnectionsAndWaits() throws Exception {
        connections.add(acceptor);
        LoopMember first = open("first");
        LoopMember second = open("second");
        CompletableFuture<Integer> stop = connections.stop(LATER).toCompletableFuture();
        assertEquals("finish acceptor", calls.get(0));
        assertTrue(calls.size() == 3 && calls.containsAll(List.of("finish first", "finish second")));
        connections.remove(first);
        assertFalse(stop.isDone());
        LoopMember late = open("late");
        assertEquals("finish late", calls.get(3));
        connections.remove(second);
        connections.remove(late);
        assertEquals(0, result(stop));
        assertEquals(0, result(connections.stop(LATER).toCompletableFuture()));
        Listener lateAcceptor = new Listener();
        connections.add(lateAcceptor);
        assertEquals("finish acceptor", calls.get(4));
    }

    @Test
    void stopClosesRemainingConnectionsAtTheDeadline() throws Exception {
        open("first");
        open("second");
        CompletableFuture<Integer> later = connections.stop(LATER).toCompletableFuture();
        assertEquals(2, result(connections.stop(Duration.ofMillis(20)).toCompletableFuture()));
        assertEquals(2, result(later));
        assertTrue(calls.size() == 4 && calls.subList(2, 4).containsAll(List.of("end first", "end second")));
        assertThrows(IllegalArgumentException.class, () -> connections.stop(Duration.ofMillis(-1)));
    }

    @Test
    void stopWithoutConnectionsCompletesImmediately() throws Exception {
        assertEquals(0, result(connections.stop(LATER).toCompletableFuture()));
    }

    @Test
    void connectionsOfClosedLoopsDoNotDelayTheStop() throws Exception {
        LoopMember onClosed = open("first", task -> {
            throw new RejectedExecutionException("closed");
        }, new PlayedConnection(false));
        LoopMember open = open("open");
        CompletableFuture<Integer> stop = connections.stop(LATER).toCompletableFuture();
        assertEquals(List.of("finish open"), calls);
        connections.remove(open);
        connections.remove(onClosed);
        assertEquals(0, result(stop));
    }
}
