package dev.sluice.wine;

import static dev.sluice.calls.layout.WinsockConstants.SD_SEND;
import static dev.sluice.calls.layout.WinsockConstants.SOL_SOCKET;
import static dev.sluice.calls.layout.WinsockConstants.SO_TYPE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.WindowsError;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Sockets with calls that are done when they return. */
class SocketTest extends Win32Test {

    @Test
    void connectionCarriesBytesBothWays() {
        long listener = listener();
        LoopbackAddress address = addressOf(listener);
        long client = stream();
        ok(windows.connect(client, address.address(), address.length()));
        LoopbackAddress peer = anyPort();
        long accepted = socket(windows.accept(listener, peer.address(), peer.lengthAddress()));
        assertEquals(addressOf(client).port(), peer.port());
        LoopbackAddress remote = anyPort();
        ok(windows.getpeername(client, remote.address(), remote.lengthAddress()));
        assertEquals(address.port(), remote.port());

        assertCarries("there", client, accepted);
        assertCarries("and back", accepted, client);
        ok(windows.shutdown(client, SD_SEND));
        assertEquals(0, windows.recv(accepted, block(1).address(), 1, 0), "end of stream");
    }

    private void assertCarries(String text, long from, long to) {
        MemoryBlock in = block(100);
        assertEquals(text.length(), windows.send(from, block(text).address(), text.length(), 0));
        assertEquals(text.length(), windows.recv(to, in.address(), 100, 0));
        assertEquals(text, text(in.buffer(), text.length()));
        assertEquals(0, in.buffer().get(text.length()), "behind the text");
    }

    @Test
    void buffersOfUsersAreSentAndReceived() {
        long[] ends = connection();
        ByteBuffer out = foreign("0123456789");
        ByteBuffer in = foreign("----------");
        assertEquals(4, windows.send(ends[0], memory.address(out) + 3, 4, 0));
        assertEquals(4, windows.recv(ends[1], memory.address(in) + 1, 8, 0));
        assertEquals("-3456-----", text(in, 10));

        OverlappedCall send = overlappedCall().buffer(0, memory.address(out), 2)
                .buffer(1, memory.address(out) + 8, 2);
        assertEquals(0, windows.WSASend(ends[0], send.buffers(), 2, send.word(), 0, 0, 0));
        MemoryBlock shared = block(3);
        OverlappedCall receive = overlappedCall().buffer(0, shared.address(), 3)
                .buffer(1, memory.address(in.slice(6, 4)), 4);
        MemoryBlock received = block(Integer.BYTES);
        assertEquals(0, windows.WSARecv(ends[1], receive.buffers(), 2, received.address(), receive.word(), 0, 0));
        assertEquals(4, received.buffer().getInt(0));
        assertEquals("018", text(shared.buffer(), 3));
        assertEquals("-3456-9---", text(in, 10));
    }

    @Test
    void datagramsKeepTheirBoundsAndTheirSender() {
        long receiver = datagram();
        long sender = datagram();
        LoopbackAddress to = addressOf(receiver);
        ByteBuffer out = foreign("datagram");
        ByteBuffer in = foreign("--------");
        for (int i = 0; i < 2; i++) {
            assertEquals(8, windows.sendto(sender, memory.address(out), 8, 0, to.address(), to.length()));
        }
        LoopbackAddress from = anyPort();
        assertEquals(8, windows.recvfrom(receiver, memory.address(in), 8, 0, from.address(), from.lengthAddress()));
        assertEquals("datagram", text(in, 8));
        assertEquals(addressOf(sender).port(), from.port());

        assertEquals(0, windows.sendto(sender, memory.address(out) + 8, 0, 0, to.address(), to.length()));

        in = foreign("--------");
        assertFails(WindowsError.WSAEMSGSIZE,
                windows.recvfrom(receiver, memory.address(in), 4, 0, from.address(), from.lengthAddress()));
        assertEquals("data----", text(in, 8), "the part that fits");
        assertEquals(0, windows.recvfrom(receiver, memory.address(in), 8, 0, 0, 0), "an empty datagram");
    }

    @Test
    void optionsAreRead() {
        MemoryBlock value = block(2 * Integer.BYTES);
        value.buffer().putInt(Integer.BYTES, Integer.BYTES);
        ok(windows.getsockopt(stream(), SOL_SOCKET, SO_TYPE, value.address(), value.address() + Integer.BYTES));
        assertEquals(1, value.buffer().getInt(0));
    }

    @Test
    void failuresHaveTheirNumbers() {
        long deaf = stream();
        bindToAnyPort(deaf);
        LoopbackAddress address = addressOf(deaf);
        assertFails(WindowsError.WSAEADDRINUSE, windows.bind(stream(), address.address(), address.length()));
        assertFails(WindowsError.WSAECONNREFUSED, windows.connect(stream(), address.address(), address.length()));

        long[] ends = connection();
        makeNonBlocking(ends[0]);
        assertFails(WindowsError.WSAEWOULDBLOCK, windows.recv(ends[0], block(1).address(), 1, 0));
        ok(windows.shutdown(ends[0], SD_SEND));
        assertFails(WindowsError.WSAESHUTDOWN, windows.send(ends[0], block(1).address(), 1, 0));
    }
}
