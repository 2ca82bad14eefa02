package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.layout.SockaddrUn;
import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The reused address. */
@Tag(Depth.BINDING)
@Tag(Depth.IN_QUICK)
class PeerAddressTest extends LeakChecked {

    @TempDir
    Path directory;

    private static PeerAddress receive(SocketDatagram server, PeerAddress sender) throws Exception {
        Patience.awaitReadable(server);
        server.receive(ByteBuffer.allocate(1), sender);
        return sender;
    }

    @Test
    void equalIffTheSenderIsTheSame() throws Exception {
        SocketDatagram server = own(SocketDatagram.open(new InetSocketAddress("127.0.0.1", 0)));
        SocketDatagram a = own(SocketDatagram.open(new InetSocketAddress("127.0.0.1", 0)));
        SocketDatagram b = own(SocketDatagram.open(new InetSocketAddress("127.0.0.1", 0)));
        for (SocketDatagram from : new SocketDatagram[] {a, a, b}) {
            from.send(Bytes.heap("x"), server.localAddress());
        }
        PeerAddress first = receive(server, new PeerAddress());
        PeerAddress second = receive(server, new PeerAddress());
        PeerAddress third = receive(server, new PeerAddress());
        assertEquals(first, second);
        assertEquals(first.hashCode(), second.hashCode());
        assertNotEquals(first, third);
        assertNotEquals(first, new PeerAddress());
        assertNotEquals(first, first.toSocketAddress());
        assertEquals(SocketAddresses.show(a.localAddress()), first.toString());
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void reusedForAShorterAddress() throws Exception {
        SocketDatagram server = own(SocketDatagram.open(Transport.freshPath(directory)));
        SocketDatagram named = own(SocketDatagram.open(Transport.freshPath(directory)));
        SocketDatagram nameless = own(SocketDatagram.unbound(StandardProtocolFamily.UNIX));
        PeerAddress sender = new PeerAddress();
        named.send(Bytes.heap("x"), server.localAddress());
        receive(server, sender);
        assertTrue(sender.hasAddress());
        assertEquals(named.localAddress(), sender.toSocketAddress());

        nameless.send(Bytes.heap("x"), server.localAddress());
        receive(server, sender);
        assertFalse(sender.hasAddress());
        assertEquals(new PeerAddress(), sender);
        assertEquals(new PeerAddress().hashCode(), sender.hashCode());
        assertEquals("no peer", sender.toString());
        assertThrows(IOException.class, sender::toSocketAddress);
        assertThrows(IllegalArgumentException.class, () -> server.send(Bytes.heap("to none"), sender));
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void senderWithTheLongestNameIsAnswered() throws Exception {
        SocketDatagram server = own(SocketDatagram.open(Transport.freshPath(directory)));
        String name = directory.resolve("sender") + "-";
        Path path = Path.of(name + "x".repeat(SockaddrUn.longestPath() - name.length()));
        SocketDatagram client = own(SocketDatagram.open(UnixDomainSocketAddress.of(path)));
        client.send(Bytes.heap("x"), server.localAddress());
        PeerAddress sender = receive(server, new PeerAddress());
        assertEquals(client.localAddress(), sender.toSocketAddress());
        assertTrue(server.send(Bytes.heap("to its address"), sender));
        assertTrue(server.send(Bytes.heap("to its name"), sender.toSocketAddress()));
        try (DatagramSendBatch batch = new DatagramSendBatch(server, 1, 10)) {
            batch.add(Bytes.heap("in a batch"), sender);
            assertEquals(1, batch.send());
        }
        for (String answer : List.of("to its address", "to its name", "in a batch")) {
            ByteBuffer received = ByteBuffer.allocate(100);
            client.receive(received, null);
            assertEquals(answer, Bytes.text(received));
        }
    }
}
