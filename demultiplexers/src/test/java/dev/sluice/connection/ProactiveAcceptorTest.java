package dev.sluice.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.eventloop.LoopRunner;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import dev.sluice.proactor.AsyncStream;
import dev.sluice.proactor.Proactor;
import dev.sluice.proactor.ProactorContract;
import dev.sluice.proactor.Proactors;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag(Depth.IN_QUICK)
class ProactiveAcceptorTest extends ProactorContract {

    /** What a service was opened with. */
    private record Opened(Proactor proactor, SocketStream stream, Thread thread) {
    }

    private final List<Opened> services = new CopyOnWriteArrayList<>();
    private SocketAcceptor socket;

    @BeforeEach
    void listen() throws IOException {
        socket = own(SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0)));
    }

    private ProactiveAcceptor acceptor(List<Proactor> targets, ProactiveService service) throws IOException {
        return new ProactiveAcceptor(proactor, socket, targets, Distribution.roundRobin(), service);
    }

    private void note(Proactor target, SocketStream stream) {
        own(stream);
        services.add(new Opened(target, stream, Thread.currentThread()));
    }

    private SocketStream connect() throws IOException {
        return own(SocketConnector.connect(socket.localAddress(), LIMIT));
    }

    @Test
    void beginsAServiceOnEachConnection() throws Exception {
        acceptor(List.of(proactor), (target, stream) -> {
            note(target, stream);
            new AsyncStream(target, stream, recorder).send(heap("welcome"), stream);
        }).open();
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
        acceptor(targets, (target, stream) -> {
            opened.add(new Opened(target, stream, Thread.currentThread()));
            new AsyncStream(target, stream, recorder).send(heap("x"), stream);
        }).open();
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
        acceptor(List.of(proactor), (target, stream) -> {
            if (services.size() == 1) {
                services.add(new Opened(target, stream, Thread.currentThread()));
                throw new IOException("thrown by the test");
            }
            note(target, stream);
        }).open();
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
    void closedTargetIsSkipped() throws Exception {
        Proactor closed = own(Proactor.open(demultiplexer));
        closed.close();
        acceptor(List.of(closed, proactor), this::note).open();
        for (int i = 1; i <= 2; i++) {
            int expected = i;
            connect();
            runUntil(() -> services.size() == expected);
            assertSame(proactor, services.get(i - 1).proactor());
        }
    }

    @Test
    void connectionsAreClosedIfAllTargetsAre() throws Exception {
        Proactor closed = own(Proactor.open(demultiplexer));
        closed.close();
        acceptor(List.of(closed), this::note).open();
        runInBackground();
        SocketStream unlucky = connect();
        assertFalse(unlucky.receiveFully(ByteBuffer.allocate(1), LIMIT));
        assertEquals(List.of(), services);
    }

    @Test
    void isClosedByAnotherThread() throws Exception {
        ProactiveAcceptor acceptor = acceptor(List.of(proactor), this::note);
        acceptor.open();
        connect();
        runUntil(() -> services.size() == 1);
        OtherThread.run(acceptor::close);
        assertFalse(socket.handle().isOpen());
        runUntil(() -> Proactors.demultiplexer(proactor).inFlight() == 0);
        assertTrue(services.get(0).stream().handle().isOpen());
    }

    @Test
    void itsProactorsEndClosesTheSocket() throws Exception {
        acceptor(List.of(proactor), this::note).open();
        connect();
        runUntil(() -> services.size() == 1);
        proactor.close();
        assertTrue(services.get(0).stream().handle().isOpen());
        assertFalse(socket.handle().isOpen());
    }

    @Test
    void theEndOfItsRunningProactorClosesTheSocket() throws Exception {
        acceptor(List.of(proactor), this::note).open();
        LoopRunner loop = runInBackground();
        connect();
        OtherThread.await(() -> services.size() == 1);
        proactor.close();
        assertFalse(socket.handle().isOpen());
        loop.join();
    }

    @Test
    void doesNotOpenOnAClosedProactor() throws Exception {
        ProactiveAcceptor late = acceptor(List.of(proactor), this::note);
        proactor.close();
        assertThrows(IllegalStateException.class, late::open);
        assertFalse(socket.handle().isOpen());
    }

    @Test
    void needsATarget() {
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class,
                () -> acceptor(List.of(), this::note));
        assertEquals("no loop to hand connections to", refused.getMessage());
        assertTrue(socket.handle().isOpen(), "the socket is still the caller's");
    }
}
