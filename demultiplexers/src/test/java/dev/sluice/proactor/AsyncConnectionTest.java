package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SystemCallException;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Accepting and connecting. */
@Tag(Depth.IN_QUICK)
class AsyncConnectionTest extends ProactorContract {

    private static final InetSocketAddress ANY_PORT = new InetSocketAddress("127.0.0.1", 0);

    @TempDir
    Path directory;

    private SocketAcceptor acceptor;
    private AsyncAcceptor accepting;

    @BeforeEach
    void listen() throws IOException {
        acceptor = own(SocketAcceptor.open(ANY_PORT));
        accepting = new AsyncAcceptor(proactor, acceptor, recorder);
    }

    private void connectFrom(SocketAddress address) throws IOException {
        own(SocketConnector.connect(address, LIMIT));
    }

    private void assertTalks(String accept, String connect) throws IOException {
        AsyncStream near = async(recorder.last(accept).stream());
        AsyncStream far = async(recorder.last(connect).stream());
        ByteBuffer room = ByteBuffer.allocate(8);
        near.receive(room, "receive " + accept);
        far.send(heap("hello"), "send " + accept);
        assertEquals(5, result("receive " + accept).bytes());
        assertReceived("hello", room);
    }

    @Test
    void meet() throws Exception {
        accepting.accept("accept");
        proactor.connect(recorder, "connect", acceptor.localAddress(), LIMIT);
        CompletionRecorder.Result accepted = result("accept");
        CompletionRecorder.Result connected = result("connect");
        assertEquals(OperationType.ACCEPT, accepted.type());
        assertEquals(OperationType.CONNECT, connected.type());
        assertEquals(accepting.handle(), accepted.handle());
        assertEquals(acceptor.localAddress(), connected.stream().remoteAddress());
        assertEquals(connected.stream().localAddress(), accepted.stream().remoteAddress());
        assertTalks("accept", "connect");
    }

    @Tag(CalledSystem.NOT_WINDOWS)
    @Test
    void meetInAUnixDomain() throws Exception {
        SocketAcceptor unix = own(SocketAcceptor.open(UnixDomainSocketAddress.of(directory.resolve("socket"))));
        new AsyncAcceptor(proactor, unix, recorder).accept("accept");
        proactor.connect(recorder, "connect", unix.localAddress(), LIMIT);
        result("accept");
        assertEquals(unix.localAddress(), result("connect").stream().remoteAddress());
        assertTalks("accept", "connect");
    }

    @Test
    void theStreamCanBeUsedInsideTheHook() throws Exception {
        ByteBuffer room = ByteBuffer.allocate(8);
        recorder.on(OperationType.CONNECT, completion -> async(completion.stream()).send(heap("at once"), "send"));
        recorder.on(OperationType.ACCEPT, completion -> async(completion.stream()).receive(room, "receive"));
        accepting.accept("accept");
        proactor.connect(recorder, "connect", acceptor.localAddress(), LIMIT);
        result("receive");
        assertReceived("at once", room);
        assertEquals(List.of(), recorder.failures());
    }

    @Test
    void eachAcceptTakesOneConnection() throws Exception {
        connectFrom(acceptor.localAddress());
        connectFrom(acceptor.localAddress());
        accepting.accept(1);
        result(1);
        runUntilIdle();
        assertEquals(1, recorder.results().size());
        accepting.accept(2);
        result(2);
        accepting.accept(3);
        runUntilIdle();
        assertFalse(recorder.isOver(3));
        accepting.cancel();
        assertTrue(result(3).isCancelled());
        assertNull(recorder.last(3).stream());
    }

    @Test
    void acceptContinuouslyTakesAllUntilItIsCancelled() throws Exception {
        long ticket = accepting.acceptContinuously("all");
        for (int i = 1; i <= 30; i++) {
            int expected = i;
            connectFrom(acceptor.localAddress());
            if (i % 10 == 0) {
                runUntil(() -> recorder.results().size() == expected);
            }
        }
        for (CompletionRecorder.Result each : recorder.results()) {
            assertEquals(OperationType.ACCEPT_CONTINUOUSLY, each.type());
            assertFalse(each.last());
            assertTrue(each.stream().handle().isOpen());
        }
        accepting.cancel(ticket);
        assertTrue(result("all").isCancelled());
        connectFrom(acceptor.localAddress());
        runUntilIdle();
        assertEquals(31, recorder.results().size());
        // It has waited in the backlog.
        accepting.accept("one more");
        assertTrue(result("one more").stream().handle().isOpen());
    }

    @Test
    void closingTheAcceptorEndsTheAccepting() throws Exception {
        accepting.acceptContinuously("all");
        accepting.accept("one");
        runUntilIdle();
        accepting.close();
        assertTrue(result("all").isCancelled());
        assertTrue(result("one").isCancelled());
        SocketAddress address = own(SocketAcceptor.open(ANY_PORT)).localAddress();
        connectFrom(address);
    }

    @Tag(CalledSystem.NOT_WINDOWS)
    @Test
    void connectToAClosedListenerIsRefused() throws Exception {
        SocketAddress address = acceptor.localAddress();
        acceptor.close();
        proactor.connect(recorder, "connect", address, LIMIT);
        CompletionRecorder.Result refused = result("connect");
        assertTrue(refused.isFailure());
        assertNull(refused.stream());
        SystemCallException error = (SystemCallException) refused.error();
        assertEquals("ECONNREFUSED", error.errorName());
        assertEquals("connect", error.call());
        String port = String.valueOf(((InetSocketAddress) address).getPort());
        assertTrue(error.getMessage().contains("127.0.0.1:" + port), error::getMessage);
        UnixDomainSocketAddress missing = UnixDomainSocketAddress.of(directory.resolve("missing"));
        proactor.connect(recorder, "missing", missing, LIMIT);
        assertEquals("ENOENT", ((SystemCallException) result("missing").error()).errorName());
    }

    /** {@return an address where connections are never completed: Linux drops what the backlog does not hold} */
    private SocketAddress unresponsive() throws IOException {
        SocketAddress address = own(SocketAcceptor.unbound(StandardProtocolFamily.INET).bind(ANY_PORT, 1))
                .localAddress();
        connectFrom(address);
        connectFrom(address);
        return address;
    }

    @Test
    void givesUpInTime() throws Exception {
        SocketAddress address = unresponsive();
        Duration timeout = Duration.ofMillis(30);
        long start = System.nanoTime();
        proactor.connect(recorder, "late", address, timeout);
        proactor.connect(recorder, "patient", address, Duration.ofDays(100_000));
        CompletionRecorder.Result late = result("late");
        assertTrue(System.nanoTime() - start >= timeout.toNanos(), "early");
        assertTrue(late.isFailure());
        assertNull(late.stream());
        assertInstanceOf(SocketTimeoutException.class, late.error());
        String port = String.valueOf(((InetSocketAddress) address).getPort());
        assertTrue(late.error().getMessage().contains(port), late.error()::getMessage);
        assertFalse(recorder.isOver("patient"));
        proactor.close();
        assertTrue(recorder.last("patient").isCancelled());
        assertInstanceOf(SystemCallException.class, recorder.last("patient").error());
    }

    @Tag(CalledSystem.NOT_WINDOWS)
    @Test
    void aFullBacklogOfAUnixListenerIsAFailureOrWaits() throws Exception {
        SocketAcceptor full = own(SocketAcceptor.unbound(StandardProtocolFamily.UNIX)
                .bind(UnixDomainSocketAddress.of(directory.resolve("full")), 1));
        int count = 20;
        for (int i = 0; i < count; i++) {
            proactor.connect(recorder, i, full.localAddress(), Duration.ofMillis(200));
        }
        runUntil(() -> recorder.over() == count);
        List<CompletionRecorder.Result> failed = recorder.results().stream()
                .filter(result -> result.isFailure())
                .toList();
        assertTrue(failed.size() >= count - 3, () -> "failed: " + failed.size());
        for (CompletionRecorder.Result each : failed) {
            boolean understood = each.error() instanceof SocketTimeoutException
                    || ((SystemCallException) each.error()).errorName().equals("EAGAIN");
            assertTrue(understood, each::toString);
        }
    }

    @Test
    void theTimerOfAConnectionThatWasMadeIsGone() throws Exception {
        proactor.connect(recorder, "connect", acceptor.localAddress(), Duration.ofMillis(50));
        assertTrue(result("connect").stream().handle().isOpen());
        proactor.schedule(recorder, "over", Duration.ofMillis(100));
        runUntil(() -> !recorder.timeouts().isEmpty());
        assertEquals(1, recorder.results().size());
        assertTrue(recorder.last("connect").stream().handle().isOpen());
    }

    @Test
    void wrongAddressesAreRefusedAtOnce() {
        assertThrows(IllegalArgumentException.class, () -> proactor.connect(recorder, null, null, LIMIT));
        assertThrows(IllegalArgumentException.class,
                () -> proactor.connect(recorder, null, acceptor.localAddress(), Duration.ofNanos(-1)));
        assertThrows(UnknownHostException.class, () -> proactor.connect(recorder, null,
                InetSocketAddress.createUnresolved("no.such.host.invalid", 1), LIMIT));
    }

    @Test
    void aHandleBelongsToOneAssociationOfAProactor() {
        IllegalStateException twice = assertThrows(IllegalStateException.class,
                () -> new AsyncAcceptor(proactor, acceptor, recorder));
        assertTrue(twice.getMessage().contains(acceptor.handle().toString()), twice::getMessage);
        accepting.close();
        assertThrows(IOException.class, () -> new AsyncAcceptor(proactor, acceptor, recorder));
    }
}
