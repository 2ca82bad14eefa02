package dev.sluice.demultiplexer.standard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.PeerAddress;
import dev.sluice.handle.Pipe;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketDatagram;
import dev.sluice.handle.SocketStream;
import dev.sluice.proactor.AsyncStream;
import dev.sluice.proactor.CompletionHandler;
import dev.sluice.proactor.Proactor;
import java.io.IOException;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Nothing keeps a direct buffer from being collected once what it was used with is closed: neither a thread that
 * continues to run, nor an operation, a facade or a demultiplexer that is still reachable.
 */
@EnabledOnOs({OS.LINUX, OS.WINDOWS})
class BufferReachabilityTest extends LeakChecked {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final InetSocketAddress LOOPBACK = new InetSocketAddress("127.0.0.1", 0);
    /** Enough for everything that remembers the buffers that are used often. */
    private static final int USES = 10;
    private static final int SIZE = 1000;

    @TempDir
    Path directory;

    private final Map<String, List<WeakReference<ByteBuffer>>> used = new LinkedHashMap<>();
    /** What is closed, and still held. */
    private final List<Object> held = new ArrayList<>();

    private ByteBuffer buffer(String use) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(SIZE);
        used.computeIfAbsent(use, none -> new ArrayList<>()).add(new WeakReference<>(buffer));
        return buffer;
    }

    private void assertAllAreCollected() throws InterruptedException {
        assertFalse(used.isEmpty());
        long start = System.nanoTime();
        while (!reachable().isEmpty() && System.nanoTime() - start < PATIENCE.toNanos()) {
            System.gc();
            Thread.sleep(10);
        }
        assertEquals("", reachable());
        Reference.reachabilityFence(held);
    }

    private String reachable() {
        return used.entrySet().stream()
                .filter(entry -> entry.getValue().stream().anyMatch(reference -> reference.get() != null))
                .map(Map.Entry::getKey).collect(Collectors.joining(", "));
    }

    private <T extends AutoCloseable> T hold(T resource) {
        held.add(resource);
        return own(resource);
    }

    private SocketStream[] streams() throws IOException {
        SocketAcceptor acceptor = hold(SocketAcceptor.open(LOOPBACK));
        SocketStream client = hold(SocketConnector.connect(acceptor.localAddress(), PATIENCE));
        return new SocketStream[] {client, hold(acceptor.accept(PATIENCE))};
    }

    @Test
    void byFacades() throws Exception {
        useFacades();
        assertAllAreCollected();
    }

    private void useFacades() throws IOException {
        SocketStream[] streams = streams();
        SocketDatagram datagram = hold(SocketDatagram.open(LOOPBACK));
        Pipe pipe = Pipe.open();
        held.add(pipe);
        FileHandle file = hold(file());
        ByteBuffer sent = buffer("send");
        ByteBuffer received = buffer("receive");
        ByteBuffer[] gathered = {buffer("gather"), buffer("gather")};
        ByteBuffer[] scattered = {buffer("scatter"), buffer("scatter")};
        ByteBuffer sentTo = buffer("datagram sent");
        ByteBuffer receivedFrom = buffer("datagram received");
        ByteBuffer written = buffer("write");
        ByteBuffer read = buffer("read");
        ByteBuffer piped = buffer("pipe");
        try (pipe) {
            for (int i = 0; i < USES; i++) {
                streams[0].sendFully(sent.clear(), PATIENCE);
                streams[1].receiveFully(received.clear(), PATIENCE);
                assertEquals(2 * SIZE, streams[0].send(clear(gathered), 0, 2));
                streams[1].receive(clear(scattered), 0, 2);
                datagram.send(sentTo.clear(), datagram.localAddress());
                datagram.receive(receivedFrom.clear(), new PeerAddress());
                file.write(written.clear(), 0);
                file.read(read.clear(), 0);
                pipe.send(piped.clear());
                pipe.receive(piped.clear());
            }
        }
        closeAll();
    }

    private static ByteBuffer[] clear(ByteBuffer[] buffers) {
        for (ByteBuffer buffer : buffers) {
            buffer.clear();
        }
        return buffers;
    }

    private FileHandle file() throws IOException {
        return FileHandle.open(directory.resolve("file"), StandardOpenOption.CREATE, StandardOpenOption.READ,
                StandardOpenOption.WRITE);
    }

    private void closeAll() {
        for (int i = held.size() - 1; i >= 0; i--) {
            if (held.get(i) instanceof AutoCloseable closeable) {
                try {
                    closeable.close();
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            }
        }
    }

    static Stream<String> asynchronous() {
        return Mechanism.available().stream()
                .filter(factory -> factory.mode() == Mode.ASYNCHRONOUS && factory.availability().usable())
                .map(Mechanism::name);
    }

    @ParameterizedTest
    @MethodSource("asynchronous")
    void byOperations(String name) throws Exception {
        useOperations(name);
        assertAllAreCollected();
    }

    private void useOperations(String name) throws IOException {
        SocketStream[] streams = streams();
        SocketDatagram datagram = hold(SocketDatagram.open(LOOPBACK));
        FileHandle file = hold(file());
        PeerAddress self = datagram.peer(datagram.localAddress());
        AsynchronousEventDemultiplexer demultiplexer = hold(OpenedDemultiplexers.openAsynchronous(name));
        Completions completions = hold(demultiplexer.newCompletions(8));
        Association to = demultiplexer.associate(streams[0].handle());
        Association from = demultiplexer.associate(streams[1].handle());
        Association datagrams = demultiplexer.associate(datagram.handle());
        Association files = demultiplexer.associate(file.handle());
        ByteBuffer sent = buffer("SEND");
        ByteBuffer received = buffer("RECEIVE");
        ByteBuffer[] gathered = {buffer("SEND of several"), buffer("SEND of several")};
        ByteBuffer[] scattered = {buffer("RECEIVE of several"), buffer("RECEIVE of several")};
        ByteBuffer sentTo = buffer("SEND_TO");
        ByteBuffer receivedFrom = buffer("RECEIVE_FROM");
        ByteBuffer written = buffer("WRITE");
        ByteBuffer read = buffer("READ");
        Operation[] operations = new Operation[10];
        for (int i = 0; i < operations.length; i++) {
            operations[i] = demultiplexer.newOperation();
            held.add(operations[i]);
        }
        for (int i = 0; i < USES; i++) {
            operations[0].send(to, sent.clear(), true);
            await(demultiplexer, completions, operations[0]);
            operations[1].receive(from, received.clear());
            await(demultiplexer, completions, operations[1]);
            operations[2].send(to, clear(gathered), 0, 2, true);
            await(demultiplexer, completions, operations[2]);
            operations[3].receive(from, clear(scattered), 0, 2);
            await(demultiplexer, completions, operations[3]);
            operations[4].sendTo(datagrams, sentTo.clear(), self);
            await(demultiplexer, completions, operations[4]);
            operations[5].receiveFrom(datagrams, receivedFrom.clear(), new PeerAddress());
            await(demultiplexer, completions, operations[5]);
            operations[6].write(files, written.clear(), 0);
            await(demultiplexer, completions, operations[6]);
            operations[7].read(files, read.clear(), 0);
            await(demultiplexer, completions, operations[7]);
            operations[8].send(to, buffer("SEND of another each time"), true);
            await(demultiplexer, completions, operations[8]);
        }
        operations[9].receiveFrom(datagrams, buffer("RECEIVE_FROM in flight at the close"), null);
        demultiplexer.awaitCompletions(completions, 0);
        closeAll();
    }

    private static void await(AsynchronousEventDemultiplexer demultiplexer, Completions completions,
            Operation operation) throws IOException {
        while (operation.isInFlight()) {
            demultiplexer.awaitCompletions(completions, PATIENCE.toNanos());
        }
        assertTrue(completions.result(0) >= 0, () -> operation + ": " + completions.result(0));
    }

    @ParameterizedTest
    @MethodSource("asynchronous")
    void byAProactorThatCarriesThemAsTokens(String name) throws Exception {
        useAProactor(name);
        assertAllAreCollected();
    }

    private void useAProactor(String name) throws IOException {
        SocketStream[] streams = streams();
        Proactor proactor = hold(Proactor.open(name));
        int[] completed = {0};
        CompletionHandler handler = completion -> completed[0]++;
        AsyncStream sender = new AsyncStream(proactor, streams[0], handler);
        AsyncStream receiver = new AsyncStream(proactor, streams[1], handler);
        held.add(sender);
        held.add(receiver);
        ByteBuffer sent = buffer("sent by a Proactor");
        ByteBuffer received = buffer("received by a Proactor");
        for (int i = 0; i < USES; i++) {
            sender.send(sent.clear(), sent);
            receiver.receive(received.clear(), received);
            while (completed[0] < 2 * (i + 1)) {
                proactor.runOnce(PATIENCE);
            }
        }
        receiver.receive(buffer("in flight when a Proactor closes"), null);
        closeAll();
    }
}
