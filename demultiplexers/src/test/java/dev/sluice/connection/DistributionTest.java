package dev.sluice.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.eventloop.EventLoopContract;
import dev.sluice.eventloop.LoopRunner;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import dev.sluice.proactor.AsyncAcceptor;
import dev.sluice.proactor.Proactor;
import dev.sluice.reactor.Connection;
import dev.sluice.reactor.Dispatcher;
import dev.sluice.reactor.Reactor;
import dev.sluice.reactor.Registration;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The usual strategy by itself, and that both acceptors ask them; that turns are taken is tested for each acceptor. */
class DistributionTest extends LeakChecked {

    private static final Duration LIMIT = EventLoopContract.LIMIT;
    private static final int LOOPS = 3;

    private final List<Reactor> loops = new ArrayList<>();

    @BeforeEach
    void openLoops() throws IOException {
        for (int i = 0; i < LOOPS; i++) {
            loops.add(own(Reactor.open()));
        }
    }

    private SocketStream connection() throws IOException {
        return own(Connection.tcp()).near();
    }

    @Test
    void isUsedAlternately() throws Exception {
        Distribution distribution = Distribution.roundRobin();
        SocketStream connection = connection();
        for (int i = 0; i < 10; i++) {
            assertEquals(i % LOOPS, distribution.choose(connection, loops));
        }
        for (int i = 0; i < 10; i++) {
            assertEquals((i + 1) % 2, distribution.choose(connection, loops.subList(0, 2)));
        }
        assertEquals(0, distribution.choose(connection, loops.subList(0, 1)));
    }

    // The acceptors

    private static Distribution always(int index, List<Executor> seen) {
        return (connection, open) -> {
            assertTrue(connection.handle().isOpen());
            seen.clear();
            seen.addAll(open);
            return Math.min(index, open.size() - 1);
        };
    }

    @Test
    void anAcceptorAsksIt() throws Exception {
        List<Executor> seen = new CopyOnWriteArrayList<>();
        List<Dispatcher> served = new CopyOnWriteArrayList<>();
        SocketAcceptor socket = own(SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0)));
        ListenOptions options = new ListenOptions().distribution(always(LOOPS - 1, seen));
        Acceptor.listen(loops, socket, options, () -> new ServiceHandler() {
            @Override
            protected void open() {
                served.add(dispatcher());
                peer().close();
            }

            @Override
            public void handleInput(Registration registration) {
                throw new AssertionError("it is closed");
            }
        });
        for (Reactor loop : loops) {
            own(new LoopRunner(loop));
        }
        accepted(socket);
        assertEquals(loops.get(LOOPS - 1), served.get(0));
        assertEquals(List.copyOf(loops), seen);
        loops.get(LOOPS - 1).close();
        accepted(socket);
        assertEquals(loops.get(LOOPS - 2), served.get(1), "the closed one is skipped");
        assertEquals(loops.subList(0, LOOPS - 1), seen);
    }

    /** Waits until the service has closed a connection. */
    private void accepted(SocketAcceptor socket) throws IOException {
        SocketStream client = own(SocketConnector.connect(socket.localAddress(), LIMIT));
        assertFalse(client.receiveFully(ByteBuffer.allocate(1), LIMIT));
    }

    @Test
    void anAsyncAcceptorAsksIt() throws Exception {
        List<Proactor> proactors = new ArrayList<>();
        for (int i = 0; i < LOOPS; i++) {
            proactors.add(own(Proactor.open()));
        }
        List<Executor> seen = new CopyOnWriteArrayList<>();
        List<Proactor> served = new CopyOnWriteArrayList<>();
        SocketAcceptor socket = own(SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0)));
        AsyncAcceptor.listen(proactors, socket, new ListenOptions().distribution(always(1, seen)), stream -> {
            served.add(stream.proactor());
            stream.closeFuture();
        });
        for (Proactor proactor : proactors) {
            own(new LoopRunner(proactor));
        }
        accepted(socket);
        assertEquals(proactors.get(1), served.get(0));
        assertEquals(List.copyOf(proactors), seen);
        proactors.get(1).close();
        accepted(socket);
        assertEquals(proactors.get(2), served.get(1));
        assertEquals(List.of(proactors.get(0), proactors.get(2)), seen);
    }
}
