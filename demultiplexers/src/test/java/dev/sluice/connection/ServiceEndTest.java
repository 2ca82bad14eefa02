package dev.sluice.connection;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.Registration;
import dev.sluice.testing.Depth;
import java.io.EOFException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What ends a connection, and what must not, while the test decides when the loop runs. */
@Tag(Depth.IN_QUICK)
class ServiceEndTest extends ServiceContract {

    private static final Duration IDLE = Duration.ofMillis(200);
    private static final Duration INTERVAL = Duration.ofMillis(5);
    /** So many intervals are twice the idle time. */
    private static final int SENDS = 80;

    private int unregistered;

    @Test
    void anotherAttemptToConnectHasAnEndOfItsOwn() throws Exception {
        SocketAddress address = listen().localAddress();
        Acceptor acceptor = listen();
        SocketAddress refusing = acceptor.localAddress();
        acceptor.close();
        RecordedService client = new RecordedService();
        client.onConnectFailed = self -> Connector.connect(reactor, address, LIMIT, self);
        Connector.connect(reactor, refusing, LIMIT, client);
        runUntil(() -> client.calls.contains("open"));
        assertEquals(Optional.empty(), client.output().endCause());
        client.close();
        runUntilIdle();
        assertEquals(List.of("connectFailed", "closed", "open", "closed"), client.calls);
    }

    @Test
    void closedFollowsOpenThoughTheFirstSendFails(@TempDir Path folder) throws Exception {
        SocketAddress address = listen().localAddress();
        try (FileHandle tooShort = FileHandle.open(Files.writeString(folder.resolve("file"), "short"))) {
            RecordedService client = Connector.connect(reactor, address, LIMIT, new RecordedService());
            assertTrue(client.output().send(tooShort, 0, 6, () -> { }));
            runUntil(client::isClosed);
            runUntilIdle();
            assertEquals(List.of("open", "closed"), client.calls);
            assertInstanceOf(EOFException.class, client.output().endCause().orElseThrow());
        }
    }

    @Test
    void connectionMayBePausedBeforeItIsEstablished() throws Exception {
        SocketAddress address = listen().localAddress();
        int size = 8 * MEGABYTE;
        RecordedService other = new RecordedService();
        StringBuffer received = new StringBuffer();
        other.onOpen = self -> self.output().send(bytes("echoed"));
        other.onReceived = (self, bytes) -> received.append(US_ASCII.decode(bytes));
        RecordedService service = prepared;
        service.onOpen = self -> {
            Connector.connect(reactor, address, LIMIT, other);
            self.output().watermarks(1, 10).pauses(other);
            self.output().send(ByteBuffer.allocate(size));
        };
        SocketStream client = connect(address);
        runUntil(() -> other.sentBytes() == 6);
        runUntilIdle();
        assertEquals(List.of(), service.failures);
        assertTrue(service.output().isAboveHighWatermark());
        assertEquals("", received.toString());
        OtherThread<Boolean> reader = OtherThread.start(() -> client.receiveFully(ByteBuffer.allocate(size), LIMIT));
        runUntil(() -> received.toString().equals("echoed"));
        assertTrue(reader.result());
    }

    /** A service that is registered with no loop. */
    private final class UnregisteredService extends ServiceHandler {

        @Override
        protected Registration register() {
            return null;
        }

        @Override
        protected void open() {
            own(peer());
            unregistered++;
        }

        @Override
        protected void received(ByteBuffer bytes) {
            throw new AssertionError("no loop receives for it");
        }
    }

    @Test
    void serviceThatIsNotRegisteredTakesNoPlace() throws Exception {
        Acceptor acceptor = Acceptor.listen(reactor, ANY_PORT,
                new ListenOptions().connections(new Connections().limit(1)), UnregisteredService::new);
        for (int i = 1; i <= 3; i++) {
            int opened = i;
            connect(acceptor.localAddress());
            runUntil(() -> unregistered == opened);
        }
        assertEquals(0, acceptor.connections().count());
    }

    @Test
    void connectionThatSendsWithoutWaitingIsNotIdle() throws Exception {
        prepared.onOpen = service -> service.registration().idleTimeout(Interest.WRITE, IDLE);
        RecordedService service = prepared;
        connect();
        runUntil(() -> service.calls.contains("open"));
        int[] sends = new int[1];
        reactor.schedule(() -> {
            service.output().send(bytes("x"), () -> { });
            sends[0]++;
        }, Duration.ZERO, INTERVAL);
        runUntil(() -> sends[0] == SENDS);
        assertEquals(List.of("open"), service.calls);
    }
}
