package dev.sluice.handle;

import static dev.sluice.handle.Bytes.assertBytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.handle.spi.Descriptors;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The methods that wait: receive_n and send_n. */
@Tag(Depth.BINDING)
@Tag(Depth.IN_QUICK)
class StreamWaitTest extends LeakChecked {

    private static final Duration SHORT = Duration.ofMillis(30);
    private static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE);

    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource
    void bothWaitForASlowPeer(Transport transport) throws Exception {
        StreamPair pair = own(transport.connect(directory));
        byte[] content = Bytes.random(9_000_000);
        Background<Void> sender = Background.run(() -> {
            pair.client().sendFully(Bytes.direct(content), FOR_EVER);
            return null;
        });
        ByteBuffer received = ByteBuffer.allocate(content.length);
        assertTrue(pair.server().receiveFully(received, FOR_EVER));
        sender.result();
        assertBytes(content, received.array());
    }

    @ParameterizedTest
    @EnumSource
    void receivingTimesOutWithWhatCame(Transport transport) throws Exception {
        StreamPair pair = own(transport.connect(directory));
        pair.client().send(Bytes.heap("part"));
        Patience.awaitReadable(pair.server());
        ByteBuffer destination = ByteBuffer.allocate(10);
        long start = System.nanoTime();
        SocketTimeoutException e = assertThrows(SocketTimeoutException.class,
                () -> pair.server().receiveFully(destination, SHORT));
        assertTrue(System.nanoTime() - start >= SHORT.toNanos(), "too early");
        assertEquals("receive " + pair.server() + ": 6 bytes are missing after PT0.03S", e.getMessage());
        assertEquals("part", Bytes.text(destination));
        assertTrue(pair.server().handle().isOpen());
    }

    @ParameterizedTest
    @EnumSource
    void sendingTimesOutWithWhatIsLeft(Transport transport) throws Exception {
        StreamPair pair = own(transport.connect(directory)).smallBuffers();
        ByteBuffer source = StreamPair.tooMuch();
        long start = System.nanoTime();
        SocketTimeoutException e = assertThrows(SocketTimeoutException.class,
                () -> pair.client().sendFully(source, SHORT));
        assertTrue(System.nanoTime() - start >= SHORT.toNanos(), "too early");
        assertEquals("send " + pair.client() + ": " + source.remaining() + " bytes are left after PT0.03S",
                e.getMessage());
        StreamPair.drain(pair.server(), source.position());
        assertEquals(0, pair.server().receive(ByteBuffer.allocate(1)), "no byte was sent that is still in the buffer");
    }

    @Test
    void zeroTimeoutReturnsPendingResults() throws Exception {
        StreamPair pair = own(Transport.UNIX.connect(directory));
        pair.client().sendFully(Bytes.heap("now"), Duration.ZERO);
        ByteBuffer destination = ByteBuffer.allocate(3);
        assertTrue(pair.server().receiveFully(destination, Duration.ZERO));
        assertThrows(SocketTimeoutException.class,
                () -> pair.server().receiveFully(destination.clear(), Duration.ZERO));
    }

    @Test
    void negativeTimeIsRefused() throws Exception {
        StreamPair pair = own(Transport.UNIX.connect(directory));
        Duration negative = Duration.ofNanos(-1);
        assertThrows(IllegalArgumentException.class, () -> pair.client().sendFully(Bytes.heap("x"), negative));
        assertThrows(IllegalArgumentException.class,
                () -> pair.server().receiveFully(ByteBuffer.allocate(1), negative));
        assertEquals(0, pair.server().receive(ByteBuffer.allocate(1)), "nothing was sent");
    }

    @ParameterizedTest
    @EnumSource
    void endOfTheStreamEndsTheWait(Transport transport) throws Exception {
        StreamPair pair = own(transport.connect(directory));
        Background<Boolean> receiver = Background.run(
                () -> pair.server().receiveFully(ByteBuffer.allocate(10), FOR_EVER));
        pair.client().send(Bytes.heap("part"));
        pair.client().close();
        assertFalse(receiver.result());
    }

    @ParameterizedTest
    @EnumSource
    @Tag(CalledSystem.NOT_WINDOWS)
    void closeEndsAReceive(Transport transport) throws Exception {
        assertCloseEndsAWait(transport, stream -> stream.receiveFully(ByteBuffer.allocate(1), FOR_EVER));
    }

    @ParameterizedTest
    @EnumSource
    @Tag(CalledSystem.NOT_WINDOWS)
    void closeEndsASend(Transport transport) throws Exception {
        assertCloseEndsAWait(transport, stream -> stream.sendFully(StreamPair.tooMuch(), FOR_EVER));
    }

    private interface Wait {
        void on(SocketStream stream) throws IOException;
    }

    // A test cannot detect that a thread has reached poll(2); of a number of closes, many occur during it.
    private void assertCloseEndsAWait(Transport transport, Wait wait) throws Exception {
        for (int i = 0; i < 20; i++) {
            try (FaultInjection faults = FaultInjection.install();
                 StreamPair pair = transport.connect(directory)) {
                pair.smallBuffers();
                Gate gate = new Gate();
                faults.beforeNth("poll", 1, gate);
                assertCloseEndsAWait(pair.server(), wait, gate, i % 2 == 0);
            }
        }
    }

    private void assertCloseEndsAWait(SocketStream stream, Wait wait, Gate gate, boolean closeFirst) throws Exception {
        int descriptor = (int) Descriptors.of(stream.handle()).acquire();
        Optional<String> link = OpenDescriptors.link(descriptor);
        Descriptors.of(stream.handle()).release();
        Background<String> waiter = Background.run(() ->
                assertThrows(HandleClosedException.class, () -> wait.on(stream)).getMessage());
        gate.awaitArrival();
        if (closeFirst) {
            stream.close();
            assertEquals(link, OpenDescriptors.link(descriptor), "the waiter still has it");
            gate.open();
        } else {
            gate.open();
            Thread.yield();
            stream.close();
        }
        assertEquals(stream + " is closed", waiter.result());
        if (OpenDescriptors.areShown()) {
            assertNotEquals(link, OpenDescriptors.link(descriptor));
        }
    }
}
