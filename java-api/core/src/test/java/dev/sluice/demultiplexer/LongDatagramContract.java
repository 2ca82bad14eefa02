package dev.sluice.demultiplexer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.handle.BufferKind;
import dev.sluice.handle.Bytes;
import dev.sluice.handle.PeerAddress;
import dev.sluice.handle.SocketDatagram;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Datagrams over Unix domain sockets, which may be longer than the bytes that a demultiplexer copies at a time. */
@Tag(CalledSystem.NOT_WINDOWS)
abstract class LongDatagramContract extends OperationContract {

    private static final int LONG = 100_000;
    /** More than fits in a socket's buffer, whatever its configured maximum. */
    private static final int TOO_LONG = 64 << 20;

    private SocketDatagram near;
    private SocketDatagram far;
    private Association nearEnd;
    private Association farEnd;

    LongDatagramContract(AsynchronousMechanism mechanism) {
        super(mechanism);
    }

    @BeforeEach
    final void openSockets() throws IOException {
        near = own(SocketDatagram.open(UnixDomainSocketAddress.of(directory.resolve("near"))));
        far = own(SocketDatagram.open(UnixDomainSocketAddress.of(directory.resolve("far"))));
        far.connect(near.localAddress());
        nearEnd = associate(near.handle());
        farEnd = associate(far.handle());
    }

    static Stream<Arguments> sizesAndKinds() {
        return Stream.of(1, 65_535, 65_536, 65_537, LONG, 200_000).flatMap(size -> Arrays.stream(BufferKind.values())
                .filter(BufferKind::isWritable)
                .map(kind -> Arguments.of(size, kind)));
    }

    @ParameterizedTest
    @MethodSource("sizesAndKinds")
    void arrivesWhole(int size, BufferKind kind) throws IOException {
        byte[] content = Bytes.random(size);
        ByteBuffer source = kind.of(content);
        ByteBuffer destination = kind.empty(size + 10);
        assertResult(size, start(o -> o.sendTo(farEnd, source, null)));
        assertEquals(0, source.remaining());
        PeerAddress sender = new PeerAddress();
        assertResult(size, start(o -> o.receiveFrom(nearEnd, destination, sender)));
        assertArrayEquals(content, kind.received(destination));
        assertEquals(far.localAddress(), sender.toSocketAddress());
        destination.limit(destination.position()).position(destination.limit() - size);
        assertResult(size, start(o -> o.sendTo(nearEnd, destination, sender)));
        assertResult(size, start(o -> o.receiveFrom(farEnd, ByteBuffer.allocate(1), null)));
    }

    @ParameterizedTest
    @MethodSource("sizesAndKinds")
    void truncatedDatagramChangesNoFurtherBytes(int size, BufferKind kind) throws IOException {
        byte[] content = Bytes.random(size);
        for (int capacity : new int[] {size - 1, size / 2, 65_536}) {
            if (capacity > 0 && capacity < size) {
                far.send(Bytes.direct(content));
                ByteBuffer destination = kind.empty(capacity);
                assertResult(size, start(o -> o.receiveFrom(nearEnd, destination, null)));
                assertArrayEquals(Arrays.copyOf(content, capacity), kind.received(destination), "capacity " + capacity);
            }
        }
    }

    @Test
    void eachOfManyHasItsOwnBytes() throws IOException {
        List<Flight> receives = new ArrayList<>();
        List<ByteBuffer> buffers = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            ByteBuffer buffer = ByteBuffer.allocate(i % 2 == 0 ? LONG : 100);
            buffers.add(buffer);
            receives.add(start(o -> o.receiveFrom(nearEnd, buffer, null)));
        }
        assertNoCompletion();
        for (int i = 0; i < receives.size(); i++) {
            byte[] content = new byte[LONG];
            Arrays.fill(content, (byte) ('a' + i));
            assertResult(LONG, start(o -> o.sendTo(farEnd, ByteBuffer.wrap(content), null)));
            collectAll(List.of(receives.get(i)));
            byte[] expected = Arrays.copyOf(content, buffers.get(i).capacity());
            assertArrayEquals(expected, Bytes.before(buffers.get(i)), "datagram " + i);
        }
    }

    @Test
    void shortOneIsReceivedIntoALargeBuffer() throws IOException {
        ByteBuffer destination = BufferKind.HEAP_SLICE.empty(1 << 20);
        far.send(Bytes.heap("short"));
        assertResult(5, start(o -> o.receiveFrom(nearEnd, destination, null)));
        assertArrayEquals(Bytes.of("short"), BufferKind.HEAP_SLICE.received(destination));
    }

    @Test
    void tooLongOneIsRefusedAndNoPartOfItIsSent() throws IOException {
        for (ByteBuffer source : List.of(ByteBuffer.allocate(TOO_LONG), ByteBuffer.allocateDirect(TOO_LONG))) {
            assertFails(Errno.EMSGSIZE, start(o -> o.sendTo(farEnd, source, null)));
            assertEquals(TOO_LONG, source.remaining());
        }
        assertEquals(SocketDatagram.NONE, near.receive(ByteBuffer.allocate(1), null));
    }

    @Test
    void cancelledOperationReleasesItsMemory() throws IOException {
        Flight receive = start(o -> o.receiveFrom(nearEnd, ByteBuffer.allocate(LONG), null));
        assertNoCompletion();
        receive.operation().cancel();
        assertCancelled(receive);
    }
}
