package dev.sluice.demultiplexer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.handle.BufferKind;
import dev.sluice.handle.Bytes;
import dev.sluice.handle.ErrorScope;
import dev.sluice.handle.PeerAddress;
import dev.sluice.handle.SocketDatagram;
import dev.sluice.testing.Depth;
import dev.sluice.testing.WineDifference;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sending and receiving datagrams. */
@Tag(Depth.TRANSFER)
public abstract class DatagramContract extends OperationContract {

    /** More than an IPv4 datagram can carry. */
    private static final int TOO_LONG = 66_000;

    private SocketDatagram near;
    private SocketDatagram far;
    private Association nearEnd;
    private Association farEnd;

    protected DatagramContract(AsynchronousMechanism mechanism) {
        super(mechanism);
    }

    @BeforeEach
    final void openSockets() throws IOException {
        near = own(SocketDatagram.open(StreamPair.loopback()));
        far = own(SocketDatagram.open(StreamPair.loopback()));
        nearEnd = associate(near.handle());
        farEnd = associate(far.handle());
    }

    private void sendToNear(byte... content) throws IOException {
        assertTrue(far.send(ByteBuffer.wrap(content), near.localAddress()));
    }

    @Test
    void requestIsAnsweredToWhereItCameFrom() throws IOException {
        PeerAddress server = PeerAddress.of(near.localAddress());
        PeerAddress client = new PeerAddress();
        ByteBuffer request = ByteBuffer.allocateDirect(100);
        Flight receive = start(o -> o.receiveFrom(nearEnd, request, client));
        assertNoCompletion();
        assertResult(7, start(o -> o.sendTo(farEnd, ByteBuffer.wrap(Bytes.of("request")), server)));
        assertResult(7, receive);
        assertArrayEquals(Bytes.of("request"), Bytes.before(request));
        assertEquals(far.localAddress(), client.toSocketAddress());
        ByteBuffer answer = ByteBuffer.allocate(100);
        Flight receiveAnswer = start(o -> o.receiveFrom(farEnd, answer, null));
        assertResult(7, start(o -> o.sendTo(nearEnd, request.flip(), client)));
        assertResult(7, receiveAnswer);
        assertArrayEquals(Bytes.of("request"), Bytes.before(answer));
    }

    @ParameterizedTest
    @EnumSource(names = "READ_ONLY.*", mode = EnumSource.Mode.MATCH_NONE)
    void buffersOfAllKindsAreFilledAndSent(BufferKind kind) throws IOException {
        byte[] content = Bytes.random(100);
        ByteBuffer source = kind.of(content);
        far.connect(near.localAddress());
        assertResult(100, start(o -> o.sendTo(farEnd, source, null)));
        assertEquals(0, source.remaining());
        ByteBuffer destination = kind.empty(200);
        assertResult(100, start(o -> o.receiveFrom(nearEnd, destination, null)));
        assertArrayEquals(content, kind.received(destination));
    }

    @ParameterizedTest
    @EnumSource(names = "READ_ONLY.*", mode = EnumSource.Mode.MATCH_NONE)
    void truncatedDatagramReportsItsFullLength(BufferKind kind) throws IOException {
        byte[] content = Bytes.random(100);
        sendToNear(content);
        ByteBuffer destination = kind.empty(30);
        assertResult(100, start(o -> o.receiveFrom(nearEnd, destination, new PeerAddress())));
        assertArrayEquals(Arrays.copyOf(content, 30), kind.received(destination));
    }

    /** The sender of a datagram may have forged its address. */
    @Test
    void unanswerablePeerDoesNotAffectOthers() throws IOException {
        PeerAddress nowhere = PeerAddress.of(new InetSocketAddress("127.0.0.1", 0));
        Flight receive = start(o -> o.receiveFrom(farEnd, ByteBuffer.allocate(10), null));
        Flight failed = start(o -> o.sendTo(nearEnd, ByteBuffer.wrap(Bytes.of("x")), nowhere));
        PeerAddress to = PeerAddress.of(far.localAddress());
        assertResult(2, start(o -> o.sendTo(nearEnd, ByteBuffer.wrap(Bytes.of("yz")), to)));
        assertResult(2, receive);
        collectUntil("the other one", () -> !failed.operation().isInFlight());
        assertEquals(ErrorScope.PEER, ErrorScope.ofSend(failed.result()), () -> failed.result() + "");
    }

    @Test
    void emptyDatagramIsReceived() throws IOException {
        PeerAddress sender = new PeerAddress();
        Flight receive = start(o -> o.receiveFrom(nearEnd, ByteBuffer.allocateDirect(10), sender));
        PeerAddress to = PeerAddress.of(near.localAddress());
        assertResult(0, start(o -> o.sendTo(farEnd, ByteBuffer.allocateDirect(0), to)));
        assertResult(0, receive);
        assertEquals(far.localAddress(), sender.toSocketAddress());
    }

    @Test
    void manyAreReceivedInTheOrderOfTheStarts() throws IOException {
        List<Flight> receives = new ArrayList<>();
        List<ByteBuffer> buffers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(10);
            buffers.add(buffer);
            receives.add(start(o -> o.receiveFrom(nearEnd, buffer, null)));
        }
        assertNoCompletion();
        for (int i = 0; i < receives.size(); i++) {
            sendToNear((byte) i);
        }
        collectAll(receives);
        for (int i = 0; i < receives.size(); i++) {
            assertArrayEquals(new byte[] {(byte) i}, Bytes.before(buffers.get(i)));
        }
    }

    @Test
    void cancelledLeavesTheDatagramToTheNext() throws IOException {
        Flight receive = start(o -> o.receiveFrom(nearEnd, ByteBuffer.allocateDirect(10), new PeerAddress()));
        assertNoCompletion();
        receive.operation().cancel();
        assertCancelled(receive);
        sendToNear((byte) 1, (byte) 2);
        assertNoCompletion();
        assertResult(2, receive.start(o -> o.receiveFrom(nearEnd, ByteBuffer.allocateDirect(10), null)));
    }

    @Test
    void tooLongOneIsAFailureThatNamesCallErrorAndPeer() throws IOException {
        PeerAddress to = PeerAddress.of(near.localAddress());
        Flight send = start(o -> o.sendTo(farEnd, ByteBuffer.allocateDirect(TOO_LONG), to));
        assertFails(Errno.EMSGSIZE, send);
        String message = send.operation().error(send.result()).getMessage();
        assertTrue(message.startsWith("sendmsg ") && message.contains("EMSGSIZE") && message.contains(to.toString()),
                message);
    }

    @Test
    void refusedOneFailsTheReceive() throws IOException {
        assumeErrorsAreLeft();
        SocketAddress unused;
        try (SocketDatagram closed = SocketDatagram.open(StreamPair.loopback())) {
            unused = closed.localAddress();
        }
        far.connect(unused);
        Flight receive = start(o -> o.receiveFrom(farEnd, ByteBuffer.allocate(1), null));
        assertNoCompletion();
        assertResult(1, start(o -> o.sendTo(farEnd, ByteBuffer.allocate(1), null)));
        assertFails(Errno.ECONNREFUSED, receive);
        String message = receive.operation().error(receive.result()).getMessage();
        assertTrue(message.startsWith("recvmsg ") && message.contains("ECONNREFUSED")
                && message.contains(far.toString()), message);
    }

    @Test
    void withoutAPeerItFails() throws IOException {
        Flight send = start(o -> o.sendTo(farEnd, ByteBuffer.allocate(1), null));
        assertTrue(result(send) < 0, "sent without a peer");
        Errno error = Errno.of(send.result());
        assertTrue(error == Errno.EDESTADDRREQ
                || error == Errno.EINVAL && WineDifference.SEND_WITHOUT_PEER_IS_INVALID.isPresent(), error::toString);
    }
}
