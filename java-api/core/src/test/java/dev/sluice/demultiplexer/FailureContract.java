package dev.sluice.demultiplexer;

import static dev.sluice.demultiplexer.spi.EventType.READ;
import static dev.sluice.demultiplexer.spi.EventType.WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.spi.Membership;
import dev.sluice.handle.NativeSocketOptions;
import dev.sluice.handle.Pipe;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketDatagram;
import dev.sluice.handle.SocketStream;
import dev.sluice.handle.SystemCallException;
import dev.sluice.testing.Depth;
import dev.sluice.testing.WineDifference;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Readiness of a handle whose connection has ended or failed: the next call on it reports the cause. */
@Tag(Depth.TRANSFER)
public abstract class FailureContract extends DemultiplexerContract {

    protected FailureContract(String name) {
        super(name);
    }

    @ParameterizedTest
    @MethodSource("streams")
    void unreadBytesComeBeforeTheEndOfTheStream(Transport transport) throws IOException {
        OneWayTransport ends = open(transport);
        Membership registration = register(ends.receiver(), READ);
        ends.send();
        ends.send();
        ends.sender().close();
        assertEquals(2, receiveToTheEnd(ends, registration));
    }

    @ParameterizedTest
    @MethodSource("streams")
    void endOfTheStreamIsRead(Transport transport) throws IOException {
        OneWayTransport ends = open(transport);
        Membership registration = register(ends.receiver(), READ);
        assertQuiet();
        ends.sender().close();
        assertEquals(0, receiveToTheEnd(ends, registration));
    }

    private int receiveToTheEnd(OneWayTransport ends, Membership registration) throws IOException {
        int sum = 0;
        while (true) {
            awaitEvents(registration, READ);
            int received = ends.receive();
            while (received > 0) {
                sum += received;
                received = ends.receive();
            }
            if (received == SocketStream.END_OF_STREAM) {
                return sum;
            }
            registration.rearm();
        }
    }

    static Stream<StreamKind> streamKinds() {
        return StreamKind.here();
    }

    @ParameterizedTest
    @MethodSource("streamKinds")
    void halfClosedStreamEndsAndCanStillSend(StreamKind kind) throws IOException {
        StreamPair pair = own(kind.connect());
        Membership registration = register(pair.near().handle(), READ);
        pair.far().shutdownOutput();
        assertEquals(0, receiveToTheEnd(OneWayTransport.of(pair), registration));
        registration.setEvents(WRITE);
        registration.rearm();
        assertReported(registration, WRITE);
        assertEquals(1, pair.near().send(ByteBuffer.allocate(1)));
        assertTrue(pair.far().receiveFully(ByteBuffer.allocate(1), PATIENCE));
    }

    @Test
    void resetConnectionIsReadable() throws IOException {
        StreamPair pair = own(StreamPair.tcp());
        Membership registration = register(pair.near().handle(), READ);
        assertQuiet();
        reset(pair.far());
        awaitEvents(registration, READ);
        if (WineDifference.RECEIVE_AFTER_RESET_IS_THE_END.isPresent()) {
            assertEquals(SocketStream.END_OF_STREAM, pair.near().receive(ByteBuffer.allocate(1)));
        } else {
            assertErrorIsLeft(Errno.ECONNRESET, () -> pair.near().receive(ByteBuffer.allocate(1)));
        }
    }

    @Test
    void resetConnectionIsWritableThoughItWasFull() throws IOException {
        StreamPair pair = own(StreamPair.tcp());
        Membership registration = register(pair.far().handle(), WRITE);
        assertReported(registration, WRITE);
        do {
            OneWayTransport.of(pair).fill();
            registration.rearm();
        } while (demultiplexer.awaitReady(ready, A_MOMENT) != 0);
        reset(pair.near());
        awaitEvents(registration, WRITE);
        assertErrorIsLeft(Errno.ECONNRESET, () -> pair.far().send(ByteBuffer.allocate(1)));
    }

    private static void reset(SocketStream stream) throws IOException {
        stream.setOption(NativeSocketOptions.SO_LINGER, 0);
        stream.close();
    }

    @Test
    void sinkWhoseSourceIsClosedIsWritable() throws IOException {
        Pipe pipe = pipe();
        OneWayTransport ends = OneWayTransport.of(pipe);
        ends.fill();
        Membership registration = register(pipe.sink(), WRITE);
        assertQuiet();
        pipe.source().close();
        awaitEvents(registration, WRITE);
        assertFails(Errno.EPIPE, () -> pipe.send(ByteBuffer.allocate(1)));
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void unixStreamWhosePeerIsClosedIsWritable() throws IOException {
        StreamPair pair = own(StreamPair.unix());
        OneWayTransport.of(pair).fill();
        Membership registration = register(pair.far().handle(), WRITE);
        assertQuiet();
        pair.near().close();
        awaitEvents(registration, WRITE);
        assertFails(Errno.EPIPE, () -> pair.far().send(ByteBuffer.allocate(1)));
    }

    @ParameterizedTest
    @ValueSource(ints = {WRITE, READ, READ | WRITE})
    void refusedAttemptIsReadyForAllItIsRegisteredFor(int events) throws IOException {
        SocketAddress refusing = refusingAddress();
        SocketStream stream = own(SocketConnector.initiate(refusing, null).stream());
        awaitEvents(register(stream.handle(), events), events);
        assertErrorIsLeft(Errno.ECONNREFUSED, () -> SocketConnector.complete(stream, refusing));
    }

    // The client port of a connection: in use, so that no other process gets it, but without a listener.
    private SocketAddress refusingAddress() throws IOException {
        return own(StreamPair.tcp()).far().localAddress();
    }

    @Test
    void refusedDatagramMakesReadable() throws IOException {
        WineDifference.REFUSED_DATAGRAM_IS_NOT_REPORTED.assumeAbsent();
        SocketDatagram refusing = own(SocketDatagram.open(StreamPair.loopback()));
        refusing.connect(refusing.localAddress());
        SocketDatagram sender = own(SocketDatagram.open(StreamPair.loopback()));
        sender.connect(refusing.localAddress());
        Membership registration = register(sender.handle(), READ);
        assertQuiet();
        assertTrue(sender.send(ByteBuffer.allocate(1)));
        awaitEvents(registration, READ);
        assertErrorIsLeft(Errno.ECONNREFUSED, () -> sender.receive(ByteBuffer.allocate(1), null));
    }

    /** libkqueue clears a socket's error when it reports it; a kernel keeps it for the next call. */
    private void assertErrorIsLeft(Errno error, Executable call) {
        if (!Libkqueue.isBehind(name())) {
            assertFails(error, call);
        }
    }

    private static void assertFails(Errno error, Executable call) {
        assertEquals(error.name(), assertThrows(SystemCallException.class, call).errorName());
    }
}
