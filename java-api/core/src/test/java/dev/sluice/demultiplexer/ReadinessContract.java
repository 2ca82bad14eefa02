package dev.sluice.demultiplexer;

import static dev.sluice.demultiplexer.spi.EventType.EXCEPTION;
import static dev.sluice.demultiplexer.spi.EventType.READ;
import static dev.sluice.demultiplexer.spi.EventType.WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.sluice.demultiplexer.spi.Membership;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import dev.sluice.handle.UrgentByte;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Readiness of handles without errors. */
@Tag(Depth.CORE)
public abstract class ReadinessContract extends DemultiplexerContract {

    protected ReadinessContract(String name) {
        super(name);
    }

    @ParameterizedTest
    @MethodSource("transports")
    void isNotReadableWhileNothingHasCome(Transport transport) throws IOException {
        register(open(transport).receiver(), READ);
        assertQuietFor(A_MOMENT);
    }

    @ParameterizedTest
    @MethodSource("transports")
    void becomesReadableWhenBytesCome(Transport transport) throws IOException {
        OneWayTransport ends = open(transport);
        Membership registration = register(ends.receiver(), READ);
        assertQuiet();
        ends.send();
        assertReported(registration, READ);
    }

    @ParameterizedTest
    @MethodSource("transports")
    void isReadableWhenBytesCameBeforeTheRegistration(Transport transport) throws IOException {
        OneWayTransport ends = open(transport);
        ends.send();
        assertReported(register(ends.receiver(), READ), READ);
    }

    @ParameterizedTest
    @MethodSource("transports")
    void isQuietOnceDrainedUntilMoreBytesCome(Transport transport) throws IOException {
        OneWayTransport ends = open(transport);
        Membership registration = register(ends.receiver(), READ);
        for (int round = 0; round < 10; round++) {
            ends.send();
            assertReported(registration, READ);
            assertEquals(1, ends.drain());
            registration.rearm();
            assertQuiet();
        }
    }

    @ParameterizedTest
    @MethodSource("transports")
    void isWritableFromTheBeginning(Transport transport) throws IOException {
        assertReported(register(open(transport).sender(), WRITE), WRITE);
    }

    @ParameterizedTest
    @MethodSource("streams")
    void isNotWritableWhileFull(Transport transport) throws IOException {
        OneWayTransport ends = open(transport);
        Membership registration = register(ends.sender(), WRITE);
        fill(ends, registration);
        assertQuietFor(A_MOMENT);
        while (demultiplexer.awaitReady(ready, 1) == 0) {
            ends.drain();
        }
        assertEquals(WRITE, ready.events(0));
    }

    // For a while a kernel moves bytes to the receiver's side and takes more.
    private void fill(OneWayTransport ends, Membership registration) throws IOException {
        assertReported(registration, WRITE);
        do {
            ends.fill();
            registration.rearm();
        } while (demultiplexer.awaitReady(ready, A_MOMENT) != 0);
    }

    @ParameterizedTest
    @MethodSource("sockets")
    void isReadableAndWritableAtOnce(Transport transport) throws IOException {
        OneWayTransport ends = open(transport);
        Membership registration = register(ends.receiver(), READ | WRITE);
        assertReported(registration, WRITE);
        ends.send();
        registration.rearm();
        assertReported(registration, READ | WRITE);
    }

    @ParameterizedTest
    @MethodSource("sockets")
    void reportsNothingThatWasNotAskedFor(Transport transport) throws IOException {
        OneWayTransport ends = open(transport);
        ends.send();
        registerOrRefuse(ends.receiver(), EXCEPTION);
        assertQuietFor(A_MOMENT);
    }

    @Test
    void urgentDataIsAnExceptionOrRefused() throws IOException {
        StreamPair pair = own(StreamPair.tcp());
        Membership registration = registerOrRefuse(pair.near().handle(), EXCEPTION);
        assertQuiet();
        if (registration == null) {
            return;
        }
        UrgentByte.send(pair.far(), (byte) 7);
        assertReported(registration, EXCEPTION);
        assertEquals(7, UrgentByte.receive(pair.near()));
        registration.rearm();
        assertQuiet();
    }

    @Test
    void pendingTcpConnectionsCanBeAccepted() throws IOException {
        assertAccepts(own(SocketAcceptor.open(StreamPair.loopback())));
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void pendingUnixConnectionsCanBeAccepted() throws IOException {
        Path directory = Files.createTempDirectory("sluice");
        Path path = directory.resolve("socket");
        try {
            assertAccepts(own(StreamPair.listen(path)));
        } finally {
            Files.deleteIfExists(path);
            Files.delete(directory);
        }
    }

    private void assertAccepts(SocketAcceptor acceptor) throws IOException {
        Membership registration = register(acceptor.handle(), READ);
        assertQuiet();
        for (int round = 0; round < 3; round++) {
            own(SocketConnector.connect(acceptor.localAddress(), PATIENCE));
            own(SocketConnector.connect(acceptor.localAddress(), PATIENCE));
            assertReported(registration, READ);
            assertNotNull(own(acceptor.accept()));
            assertNotNull(own(acceptor.accept()));
            assertNull(acceptor.accept());
            registration.rearm();
            assertQuiet();
        }
    }

    @Test
    void attemptToConnectIsOverWhenConnected() throws IOException {
        SocketAcceptor acceptor = own(SocketAcceptor.open(StreamPair.loopback()));
        SocketStream stream = own(SocketConnector.initiate(acceptor.localAddress(), null).stream());
        assertReported(register(stream.handle(), WRITE), WRITE);
        SocketConnector.complete(stream, acceptor.localAddress());
        assertEquals(acceptor.localAddress(), stream.remoteAddress());
    }

    /** A mechanism may support files, which are ready at least until their end; otherwise it must reject them. */
    @Test
    void fileIsReadyOrRefused() throws IOException {
        Path path = Files.writeString(Files.createTempFile("sluice", null), "not the end yet");
        try (FileHandle file = FileHandle.open(path)) {
            Membership registration = registerOrRefuse(file.handle(), READ);
            if (registration != null) {
                assertReported(registration, READ);
            }
        } finally {
            Files.delete(path);
        }
    }
}
