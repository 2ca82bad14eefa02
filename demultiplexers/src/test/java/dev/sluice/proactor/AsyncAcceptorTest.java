package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Bindings;
import dev.sluice.connection.Connections;
import dev.sluice.connection.ListenOptions;
import dev.sluice.eventloop.LoopRunner;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import dev.sluice.handle.SystemCallException;
import dev.sluice.handle.spi.Descriptors;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** An acceptor whose connections are for single operations, and what it has in common with one for handlers. */
@Tag(Depth.IN_QUICK)
class AsyncAcceptorTest extends ProactorContract {

    private static final int SHUT_RDWR = 2;

    /** What a service was opened with. */
    private record Opened(Proactor proactor, SocketStream stream, Thread thread) {

        Opened(AsyncStream stream) {
            this(stream.proactor(), stream.stream(), Thread.currentThread());
        }
    }

    private final List<Opened> services = new CopyOnWriteArrayList<>();
    private SocketAcceptor socket;

    @BeforeEach
    void listen() throws IOException {
        socket = own(SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0)));
    }

    private AsyncAcceptor acceptor(List<Proactor> targets, Consumer<AsyncStream> starter) throws IOException {
        return AsyncAcceptor.listen(targets, socket, new ListenOptions(), starter);
    }

    private void note(AsyncStream stream) {
        own(stream.stream());
        services.add(new Opened(stream));
    }

    private SocketStream connect() throws IOException {
        return own(SocketConnector.connect(socket.localAddress(), LIMIT));
    }

    @Test
    void beginsAServiceOnEachConnection() throws Exception {
        acceptor(List.of(proactor), stream -> {
            note(stream);
            stream.withHandler(recorder).send(heap("welcome"), stream);
        });
        for (int i = 1; i <= 5; i++) {
            int expected = i;
            SocketStream client = connect();
            runUntil(() -> recorder.over() == expected);
            ByteBuffer room = ByteBuffer.allocate(7);
            assertTrue(client.receiveFully(room, LIMIT));
            assertReceived("welcome", room);
            assertSame(Thread.currentThread(), services.get(i - 1).thread());
        }
    }

    @Test
    void handsThemOutInTurn() throws Exception {
        List<Proactor> targets = new ArrayList<>(List.of(proactor));
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            Proactor other = own(Proactor.open(demultiplexer));
            targets.add(other);
            threads.add(own(new LoopRunner(other)).thread());
        }
        threads.add(0, runInBackground().thread());
        List<Opened> opened = Collections.synchronizedList(new ArrayList<>());
        acceptor(targets, stream -> {
            opened.add(new Opened(stream));
            stream.withHandler(recorder).send(heap("x"), stream);
        });
        for (int i = 0; i < 9; i++) {
            SocketStream client = connect();
            assertTrue(client.receiveFully(ByteBuffer.allocate(1), LIMIT));
            Opened last = opened.get(i);
            own(last.stream());
            assertSame(targets.get(i % 3), last.proactor());
            assertSame(threads.get(i % 3), last.thread());
        }
    }

    @Test
    void aServiceThatThrowsHasItsConnectionClosed() throws Exception {
        acceptor(List.of(proactor), stream -> {
            if (services.size() == 1) {
                services.add(new Opened(stream));
                throw new IllegalStateException("thrown by the test");
            }
            note(stream);
        });
        connect();
        runUntil(() -> services.size() == 1);
        SocketStream unlucky = connect();
        runUntil(() -> services.size() == 2);
        assertFalse(services.get(1).stream().handle().isOpen());
        assertFalse(unlucky.receiveFully(ByteBuffer.allocate(1), LIMIT));
        connect();
        runUntil(() -> services.size() == 3);
        assertTrue(services.get(2).stream().handle().isOpen());
        assertTrue(services.get(0).stream().handle().isOpen());
    }

    @Test
    void closedLoopsAreSkipped() throws Exception {
        Proactor closed = own(Proactor.open(demultiplexer));
        closed.close();
        Proactor later = own(Proactor.open(demultiplexer));
        acceptor(List.of(closed, proactor, later), this::note);
        later.close();
        for (int i = 1; i <= 3; i++) {
            int expected = i;
            connect();
            runUntil(() -> services.size() == expected);
            assertSame(proactor, services.get(i - 1).proactor());
        }
    }

    @Test
    void aStreamHasItsPlaceUntilItIsClosed() throws Exception {
        List<AsyncStream> streams = new CopyOnWriteArrayList<>();
        Connections connections = new Connections().limit(1);
        AsyncAcceptor acceptor = AsyncAcceptor.listen(List.of(proactor), socket,
                new ListenOptions().connections(connections), stream -> {
                    streams.add(stream);
                    own(stream.stream());
                    if (streams.size() == 2) {
                        throw new IllegalStateException("thrown by the test");
                    }
                });
        assertSame(connections, acceptor.connections());
        connect();
        SocketStream second = connect();
        connect();
        runUntil(() -> streams.size() == 1);
        runUntilIdle();
        assertEquals(1, streams.size());
        assertEquals(0, connections.count());
        streams.get(0).close();
        runUntil(() -> streams.size() == 3);
        assertFalse(second.receiveFully(ByteBuffer.allocate(1), LIMIT));
        assertTrue(streams.get(2).handle().isOpen());
    }

    @Test
    void acceptsNoMoreThanThereArePlaces() throws Exception {
        // Those of the second loop are not open until it runs.
        Proactor other = own(Proactor.open(demultiplexer));
        for (int i = 0; i < 5; i++) {
            connect();
        }
        AsyncAcceptor.listen(List.of(proactor, other), socket,
                new ListenOptions().connections(new Connections().limit(2)), this::note);
        runUntil(() -> services.size() == 1);
        runUntilIdle();
        assertWaiting(3);
        other.runOnce(Duration.ZERO);
        assertEquals(2, services.size());
        connect();
        services.get(1).stream().close();
        runUntil(() -> services.size() == 3);
    }

    @Test
    void acceptsNoMoreThanThereArePlacesFromNowOn() throws Exception {
        Connections connections = new Connections();
        AsyncAcceptor.listen(List.of(proactor), socket, new ListenOptions().connections(connections), this::note);
        connect();
        runUntil(() -> services.size() == 1);
        connections.limit(2);
        runUntilIdle();
        for (int i = 0; i < 3; i++) {
            connect();
        }
        runUntil(() -> services.size() == 2);
        runUntilIdle();
        assertWaiting(2);
    }

    /** What the system has not given away is still in the backlog. */
    private void assertWaiting(int expected) throws IOException {
        for (int i = 0; i < expected; i++) {
            own(socket.accept(LIMIT));
        }
        assertNull(socket.accept());
    }

    @Test
    void refusesClientsAtTheLimit() throws Exception {
        int[] refused = new int[1];
        AsyncAcceptor.listen(List.of(proactor), socket, new ListenOptions().onRefusal(stream -> {
            assertTrue(stream.handle().isOpen());
            if (refused[0]++ == 1) {
                throw new IllegalStateException("thrown by the test");
            }
        }).connections(new Connections().limit(1)), this::note);
        connect();
        runUntil(() -> services.size() == 1);
        List<SocketStream> rejected = List.of(connect(), connect(), connect());
        runUntil(() -> refused[0] == 3);
        for (SocketStream each : rejected) {
            assertFalse(each.receiveFully(ByteBuffer.allocate(1), LIMIT));
        }
        services.get(0).stream().close();
        connect();
        runUntil(() -> services.size() == 2);
    }

    @Test
    void closesTheConnectionsThatItsFilterRejects() throws Exception {
        int[] asked = new int[1];
        AsyncAcceptor.listen(List.of(proactor), socket, new ListenOptions().filter(stream -> {
            assertTrue(stream.handle().isOpen());
            if (asked[0]++ == 1) {
                throw new IllegalStateException("thrown by the test");
            }
            return asked[0] > 2;
        }).connections(new Connections().limit(1)), this::note);
        List<SocketStream> rejected = List.of(connect(), connect());
        connect();
        runUntil(() -> services.size() == 1);
        for (SocketStream each : rejected) {
            assertFalse(each.receiveFully(ByteBuffer.allocate(1), LIMIT));
        }
        assertEquals(3, asked[0]);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void anErrorOfTheSocketEndsItAndIsReported() throws Exception {
        List<Throwable> failures = new CopyOnWriteArrayList<>();
        AsyncAcceptor.listen(List.of(proactor), socket, new ListenOptions().onFailure(failure -> {
            assertTrue(socket.handle().isOpen());
            failures.add(failure);
        }), this::note);
        runUntilIdle();
        long descriptor = Descriptors.of(socket.handle()).acquire();
        try {
            // Accepting fails from now on.
            assertEquals(0, Bindings.current().posix().shutdown((int) descriptor, SHUT_RDWR));
        } finally {
            Descriptors.of(socket.handle()).release();
        }
        runUntil(() -> !failures.isEmpty());
        runUntilIdle();
        assertEquals("EINVAL", ((SystemCallException) failures.get(0)).errorName());
        assertEquals(1, failures.size());
        assertFalse(socket.handle().isOpen());
    }

    @Test
    void isClosedByAnotherThread() throws Exception {
        AsyncAcceptor acceptor = acceptor(List.of(proactor), this::note);
        connect();
        runUntil(() -> services.size() == 1);
        OtherThread.run(acceptor::close);
        assertFalse(socket.handle().isOpen());
        runUntil(() -> Proactors.demultiplexer(proactor).inFlight() == 0);
        assertTrue(services.get(0).stream().handle().isOpen());
    }

    @Test
    void itsProactorsEndClosesTheSocket() throws Exception {
        acceptor(List.of(proactor), this::note);
        connect();
        runUntil(() -> services.size() == 1);
        proactor.close();
        assertTrue(services.get(0).stream().handle().isOpen());
        assertFalse(socket.handle().isOpen());
    }

    @Test
    void theEndOfItsRunningProactorClosesTheSocket() throws Exception {
        acceptor(List.of(proactor), this::note);
        LoopRunner loop = runInBackground();
        connect();
        OtherThread.await(() -> services.size() == 1);
        proactor.close();
        assertFalse(socket.handle().isOpen());
        loop.join();
    }

    @Test
    void closesTheSocketIfItCannotListen() throws Exception {
        assertThrows(NullPointerException.class, () -> acceptor(List.of(proactor), null));
        assertFalse(socket.handle().isOpen());
        listen();
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class,
                () -> acceptor(List.of(), this::note));
        assertEquals("listen: no loop to hand connections to", refused.getMessage());
        assertFalse(socket.handle().isOpen());
        listen();
        proactor.close();
        assertThrows(IllegalStateException.class, () -> acceptor(List.of(proactor), this::note));
        assertFalse(socket.handle().isOpen());
    }
}
