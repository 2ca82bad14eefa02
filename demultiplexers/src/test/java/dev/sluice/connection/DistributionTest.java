package dev.sluice.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.eventloop.EventLoopContract;
import dev.sluice.eventloop.LoopThread;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.NativeSocketOptions;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import dev.sluice.proactor.AsyncStream;
import dev.sluice.proactor.OperationFuture;
import dev.sluice.proactor.Proactor;
import dev.sluice.proactor.SingleMethodCompletionAdapter;
import dev.sluice.reactor.Connection;
import dev.sluice.reactor.Dispatcher;
import dev.sluice.reactor.Reactor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The strategies by themselves, and that both acceptors ask them; that turns are taken is tested for each acceptor. */
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
    void takesTurns() throws Exception {
        Distribution distribution = new RoundRobinDistribution();
        SocketStream connection = connection();
        for (int i = 0; i < 10; i++) {
            assertEquals(i % LOOPS, distribution.choose(connection, loops));
        }
        for (int i = 0; i < 10; i++) {
            assertEquals((i + 1) % 2, distribution.choose(connection, loops.subList(0, 2)));
        }
        assertEquals(0, distribution.choose(connection, loops.subList(0, 1)));
    }

    @Test
    void choosesTheLeastLoaded() throws Exception {
        Distribution distribution = new LeastLoadedDistribution();
        List<SocketStream> connections = new ArrayList<>();
        for (int i = 0; i < 3 * LOOPS; i++) {
            connections.add(connection());
            assertEquals(i % LOOPS, distribution.choose(connections.get(i), loops), "among equals in turn");
        }
        // Two less on the second loop, one on the third, whichever thread and however often.
        connections.get(1).close();
        OtherThread.run(connections.get(4)::close);
        connections.get(4).close();
        connections.get(2).close();
        List<Integer> chosen = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            chosen.add(distribution.choose(connection(), loops));
        }
        assertEquals(List.of(1, 2, 1, 2), chosen, "loads were 3, 1, 2");
    }

    @Test
    void aLoopThatGoesMissingIsForgotten() throws Exception {
        Distribution distribution = new LeastLoadedDistribution();
        List<SocketStream> connections = new ArrayList<>();
        for (int i = 0; i < LOOPS; i++) {
            connections.add(connection());
            distribution.choose(connections.get(i), loops);
        }
        List<Reactor> fewer = loops.subList(1, LOOPS);
        assertEquals(0, distribution.choose(connection(), fewer));
        assertEquals(1, distribution.choose(connection(), fewer));
        connections.forEach(SocketStream::close);
        assertEquals(0, distribution.choose(connection(), fewer));
    }

    @Test
    void aConnectionThatIsClosedAlreadyIsNoLoad() throws Exception {
        Distribution distribution = new LeastLoadedDistribution();
        for (int i = 0; i < 2 * LOOPS; i++) {
            SocketStream closed = connection();
            closed.close();
            distribution.choose(closed, loops);
        }
        for (int i = 0; i < LOOPS; i++) {
            assertEquals(i, distribution.choose(connection(), loops));
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void choosesByTheProcessorOfTheConnection() throws Exception {
        Distribution distribution = new IncomingCpuDistribution();
        for (int processor : new int[] {4, 0, 2, 4, 1}) {
            SocketStream connection = connection();
            // What the kernel notes of each packet; no more come.
            connection.setOption(NativeSocketOptions.SO_INCOMING_CPU, processor);
            assertEquals(processor % LOOPS, distribution.choose(connection, loops));
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void theKernelKnowsTheProcessorOfANewConnection() throws Exception {
        try (SocketAcceptor acceptor = SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0));
                SocketStream client = SocketConnector.connect(acceptor.localAddress(), LIMIT);
                SocketStream accepted = acceptor.accept(LIMIT)) {
            assertTrue(client.handle().isOpen());
            int processor = accepted.getOption(NativeSocketOptions.SO_INCOMING_CPU);
            assertTrue(processor >= 0, () -> "processor " + processor);
        }
    }

    @Tag(CalledSystem.NOT_WINDOWS)
    @Test
    void takesTurnsWhereProcessorsAreUnknownAndSaysSoOnce() throws Exception {
        Distribution distribution = new IncomingCpuDistribution();
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        PrintStream before = System.err;
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
        try {
            for (int i = 0; i < 5; i++) {
                assertEquals(i % LOOPS, distribution.choose(own(Connection.unix()).near(), loops));
            }
        } finally {
            System.setErr(before);
        }
        String text = log.toString(StandardCharsets.UTF_8);
        assertEquals(2, text.split("handed out in turn", -1).length, text);
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
        new Acceptor(loops.get(0), socket, loops, always(LOOPS - 1, seen), () -> new ServiceHandler() {
            @Override
            protected void open() {
                served.add(dispatcher());
                peer().close();
            }
        }).open();
        for (Reactor loop : loops) {
            own(new LoopThread(loop));
        }
        accepted(socket);
        assertEquals(loops.get(LOOPS - 1), served.get(0));
        assertEquals(List.copyOf(loops), seen);
        loops.get(LOOPS - 1).close();
        accepted(socket);
        assertEquals(loops.get(LOOPS - 2), served.get(1), "the closed one is passed over");
        assertEquals(loops.subList(0, LOOPS - 1), seen);
    }

    /** Waits until the service has closed a connection. */
    private void accepted(SocketAcceptor socket) throws IOException {
        SocketStream client = own(SocketConnector.connect(socket.localAddress(), LIMIT));
        assertFalse(client.receiveFully(ByteBuffer.allocate(1), LIMIT));
    }

    @Test
    void aProactiveAcceptorAsksIt() throws Exception {
        List<Proactor> proactors = new ArrayList<>();
        for (int i = 0; i < LOOPS; i++) {
            proactors.add(own(Proactor.open()));
        }
        List<Executor> seen = new CopyOnWriteArrayList<>();
        List<Proactor> served = new CopyOnWriteArrayList<>();
        SocketAcceptor socket = own(SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0)));
        new ProactiveAcceptor(proactors.get(0), socket, proactors, always(1, seen), (proactor, stream) -> {
            served.add(proactor);
            new AsyncStream(proactor, stream, new SingleMethodCompletionAdapter(closed -> { })).close((Object) null);
        }).open();
        for (Proactor proactor : proactors) {
            own(new LoopThread(proactor));
        }
        accepted(socket);
        assertEquals(proactors.get(1), served.get(0));
        assertEquals(List.copyOf(proactors), seen);
        proactors.get(1).close();
        accepted(socket);
        assertEquals(proactors.get(2), served.get(1));
        assertEquals(List.of(proactors.get(0), proactors.get(2)), seen);
    }

    /** Even if the descriptor is closed by an operation. */
    @Test
    void aConnectionClosedByAnOperationIsNoLoadAnyMore() throws Exception {
        Distribution distribution = new LeastLoadedDistribution();
        Proactor proactor = own(Proactor.open());
        List<SocketStream> connections = List.of(connection(), connection(), connection());
        for (int i = 0; i < LOOPS; i++) {
            assertEquals(i, distribution.choose(connections.get(i), loops));
        }
        AsyncStream stream = new AsyncStream(proactor, connections.get(1));
        OperationFuture<Void> closed = stream.closeFuture();
        while (!closed.isDone()) {
            proactor.handleEvents(LIMIT);
        }
        assertEquals(1, distribution.choose(connection(), loops), "it would be the turn of another");
    }
}
