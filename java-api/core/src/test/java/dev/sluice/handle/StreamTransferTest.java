package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.handle.spi.Descriptors;
import dev.sluice.system.Scratch;
import dev.sluice.testing.Depth;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Transfers of single buffers over every kind of connection. */
@Tag(Depth.BINDING)
@Tag(Depth.IN_QUICK)
class StreamTransferTest extends LeakChecked {

    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource
    void everyKindOfBufferCarriesBothWays(Transport transport) throws Exception {
        StreamPair pair = own(transport.connect(directory));
        byte length = 1;
        for (BufferKind sending : BufferKind.values()) {
            for (BufferKind receiving : BufferKind.values()) {
                if (receiving.isWritable()) {
                    byte[] content = Bytes.random(length++);
                    assertCarries(sending, pair.client(), receiving, pair.server(), content);
                    assertCarries(sending, pair.server(), receiving, pair.client(), content);
                }
            }
        }
    }

    private static void assertCarries(BufferKind sending, SocketStream from, BufferKind receiving, SocketStream to,
                                      byte[] content) throws Exception {
        String which = sending + " to " + receiving;
        ByteBuffer source = sending.of(content);
        assertEquals(content.length, from.send(source), which);
        assertEquals(0, source.remaining(), which);
        ByteBuffer destination = receiving.empty(content.length + 100);
        Patience.awaitReadable(to);
        assertEquals(content.length, to.receive(destination), which);
        assertArrayEquals(content, receiving.received(destination), which);
    }

    @ParameterizedTest
    @EnumSource
    void readOnlyBufferIsRefusedBeforeAnythingIsReceived(Transport transport) throws Exception {
        StreamPair pair = own(transport.connect(directory));
        pair.client().send(Bytes.heap("kept"));
        Patience.awaitReadable(pair.server());
        for (BufferKind kind : BufferKind.values()) {
            if (!kind.isWritable()) {
                ByteBuffer readOnly = kind.empty(10);
                ByteBuffer[] vector = {ByteBuffer.allocate(2), readOnly};
                assertThrows(IllegalArgumentException.class, () -> pair.server().receive(readOnly));
                assertThrows(IllegalArgumentException.class, () -> pair.server().receive(vector, 0, 2));
                assertEquals(0, vector[0].position());
            }
        }
        ByteBuffer destination = ByteBuffer.allocate(10);
        assertEquals(4, pair.server().receive(destination));
        assertEquals("kept", Bytes.text(destination));
    }

    @ParameterizedTest
    @EnumSource
    void bufferWithoutRemainingBytesTransfersNothing(Transport transport) throws Exception {
        StreamPair pair = own(transport.connect(directory));
        assertEquals(0, pair.client().send(ByteBuffer.allocateDirect(0)));
        assertEquals(0, pair.client().send(new ByteBuffer[] {ByteBuffer.allocate(0)}, 0, 1));
        pair.client().shutdownOutput();
        Patience.awaitReadable(pair.server());
        assertEquals(0, pair.server().receive(ByteBuffer.allocateDirect(0)), "a full buffer hides the stream's end");
        assertEquals(0, pair.server().receive(new ByteBuffer[0], 0, 0));
        assertEquals(SocketStream.END_OF_STREAM, pair.server().receive(ByteBuffer.allocate(1)));
    }

    @ParameterizedTest
    @EnumSource
    void largeHeapBufferArrivesWholeOverSeveralCalls(Transport transport) throws Exception {
        StreamPair pair = own(transport.connect(directory));
        byte[] content = Bytes.random(5 * Scratch.COPY_SIZE + 1);
        ByteBuffer source = ByteBuffer.wrap(content);
        int sent = pair.client().send(source);
        assertTrue(sent > 0 && sent <= Scratch.COPY_SIZE, () -> "sent " + sent);
        assertEquals(sent, source.position());
        ByteBuffer destination = ByteBuffer.allocate(content.length);
        StreamPair.carry(pair.client(), source, pair.server(), destination);
        assertArrayEquals(content, destination.array());
    }

    @ParameterizedTest
    @EnumSource
    void largeDirectBufferArrivesWhole(Transport transport) throws Exception {
        StreamPair pair = own(transport.connect(directory));
        byte[] content = Bytes.random(9_000_001);
        ByteBuffer destination = ByteBuffer.allocateDirect(content.length);
        StreamPair.carry(pair.client(), Bytes.direct(content), pair.server(), destination);
        assertArrayEquals(content, Bytes.before(destination));
    }

    @ParameterizedTest
    @EnumSource
    void wouldBlockIsZero(Transport transport) throws Exception {
        StreamPair pair = own(transport.connect(directory));
        for (BufferKind kind : new BufferKind[] {BufferKind.HEAP, BufferKind.DIRECT}) {
            ByteBuffer destination = kind.empty(10);
            assertEquals(0, pair.server().receive(destination));
            assertEquals(0, kind.received(destination).length);
            assertEquals(0, pair.server().receive(new ByteBuffer[] {destination}, 0, 1));
        }

        long sum = StreamPair.fill(pair.client()) + fillWithVectors(pair.client());
        StreamPair.drain(pair.server(), sum);
        Patience.awaitWritable(pair.client());
        ByteBuffer more = Bytes.heap("more");
        ByteBuffer received = ByteBuffer.allocate(4);
        StreamPair.carry(pair.client(), more, pair.server(), received);
        assertEquals("more", Bytes.text(received));
    }

    private static long fillWithVectors(SocketStream stream) throws Exception {
        ByteBuffer[] pieces = {ByteBuffer.allocate(1000), ByteBuffer.allocateDirect(1000)};
        long sum = 0;
        long sent;
        do {
            sent = stream.send(pieces, 0, 2);
            assertEquals(sent, pieces[0].position() + pieces[1].position());
            pieces[0].clear();
            pieces[1].clear();
            sum += sent;
        } while (sent > 0);
        return sum;
    }

    @ParameterizedTest
    @EnumSource
    void addressesOfBothEndsMatch(Transport transport) throws Exception {
        SocketAcceptor acceptor = own(transport.acceptor(directory));
        StreamPair pair = own(transport.connect(acceptor));
        assertEquals(transport.addressOf(acceptor), pair.client().remoteAddress());
        assertEquals(pair.client().remoteAddress(), pair.server().localAddress());
        assertEquals(pair.client().localAddress(), pair.server().remoteAddress());
        String name = transport.isTcp() ? "tcp " + SocketAddresses.show(pair.client().localAddress())
                : "unix (unnamed) on " + acceptor.localAddress();
        assertEquals(name + " (fd " + descriptor(pair.server()) + ")", pair.server().toString());
    }

    private static int descriptor(SocketStream stream) throws Exception {
        int descriptor = (int) Descriptors.of(stream.handle()).acquire();
        Descriptors.of(stream.handle()).release();
        return descriptor;
    }
}
