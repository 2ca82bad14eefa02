package dev.sluice.samples.gnutella;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Patience;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The other side of a router: a servent by the published texts of 0.4 and 0.6, on the sockets of the JDK. */
final class Servent implements AutoCloseable {

    static final String BYE = "Bye-Packet: 0.1";

    private static final int SMALL_BUFFER = 4096;

    private final Socket socket;
    private final DataInputStream in;

    private Servent(Socket socket) throws IOException {
        this.socket = socket;
        socket.setSoTimeout((int) Patience.LIMIT.toMillis());
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    }

    // Beginning

    /** Connects, and says nothing. */
    static Servent silent(InetSocketAddress router) throws IOException {
        Socket socket = new Socket();
        socket.connect(router);
        return new Servent(socket);
    }

    /** Becomes a neighbour by 0.6, for whom the system keeps next to nothing. */
    static Servent withSmallBuffer(InetSocketAddress router, String... headers) throws IOException {
        return withBuffer(SMALL_BUFFER, router, headers);
    }

    /** Becomes a neighbour by 0.6, with a receive buffer of this size. */
    static Servent withBuffer(int bytes, InetSocketAddress router, String... headers) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(bytes);
        socket.connect(router);
        Servent servent = new Servent(socket);
        servent.greet(headers);
        servent.expectDiscovery();
        return servent;
    }

    /** Becomes a neighbour by 0.4. */
    static Servent old(InetSocketAddress router) throws IOException {
        Servent servent = silent(router);
        servent.write("GNUTELLA CONNECT/0.4\n\n");
        assertEquals(List.of("GNUTELLA OK"), servent.readHead());
        servent.expectDiscovery();
        return servent;
    }

    /** Becomes a neighbour by 0.6. */
    static Servent connect(InetSocketAddress router, String... headers) throws IOException {
        Servent servent = silent(router);
        servent.greet(headers);
        servent.expectDiscovery();
        return servent;
    }

    /** Greets by 0.6, however it goes on. */
    void greet(String... headers) throws IOException {
        StringBuilder greeting = new StringBuilder("GNUTELLA CONNECT/0.6\r\nUser-Agent: Test\r\n");
        for (String header : headers) {
            greeting.append(header).append("\r\n");
        }
        write(greeting.append("\r\n").toString());
        List<String> answer = readHead();
        assertEquals("GNUTELLA/0.6 200 OK", answer.get(0));
        assertTrue(answer.contains(BYE), answer::toString);
        write("GNUTELLA/0.6 200 OK\r\n\r\n");
    }

    /** Lets a router connect by 0.6, and become a neighbour. */
    static Servent accept(ServerSocket listener) throws IOException {
        Servent servent = accepted(listener);
        assertEquals("GNUTELLA CONNECT/0.6", servent.readHead().get(0));
        servent.write("GNUTELLA/0.6 200 OK\r\nUser-Agent: Test\r\n\r\n");
        assertEquals("GNUTELLA/0.6 200 OK", servent.readHead().get(0));
        servent.expectDiscovery();
        return servent;
    }

    /** Lets a router connect, and says nothing. */
    static Servent accepted(ServerSocket listener) throws IOException {
        listener.setSoTimeout((int) Patience.LIMIT.toMillis());
        return new Servent(listener.accept());
    }

    /** Expects the ping that a router sends to each new neighbour. Messages of other neighbours may come first. */
    void expectDiscovery() throws IOException {
        WirePacket ping = receive();
        while (ping != null && ping.type() == WirePacket.PING && ping.hops() > 0) {
            ping = receive();
        }
        assertNotNull(ping);
        assertEquals(new WirePacket(ping.guid(), WirePacket.PING, 7, 0, ""), ping);
    }

    InetSocketAddress localAddress() {
        return (InetSocketAddress) socket.getLocalSocketAddress();
    }

    // Bytes

    void write(String text) throws IOException {
        write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    void write(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    /** {@return the lines up to an empty one, or to the end of the stream} */
    List<String> readHead() throws IOException {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next >= 0; next = in.read()) {
            if (next == '\n') {
                if (line.isEmpty()) {
                    return lines;
                }
                lines.add(line.toString());
                line.setLength(0);
            } else if (next != '\r') {
                line.append((char) next);
            }
        }
        return lines;
    }

    void endOutput() throws IOException {
        socket.shutdownOutput();
    }

    /** Ends it with a reset. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    // Messages

    void send(WirePacket... packets) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (WirePacket packet : packets) {
            bytes.writeBytes(packet.bytes());
        }
        write(bytes.toByteArray());
    }

    /** {@return the next message; null at the end} */
    WirePacket receive() throws IOException {
        return WirePacket.read(in);
    }

    /** {@return the next message of a type, whatever comes before it} */
    WirePacket await(int type) throws IOException {
        WirePacket next = receive();
        while (next != null && next.type() != type) {
            next = receive();
        }
        return next;
    }

    /** {@return all messages up to the end, or to a reset} */
    List<WirePacket> receiveAll() throws IOException {
        List<WirePacket> packets = new ArrayList<>();
        try {
            for (WirePacket next = receive(); next != null; next = receive()) {
                packets.add(next);
            }
        } catch (SocketException e) {
            assertEquals("Connection reset", e.getMessage());
        }
        return packets;
    }

    /** Waits until the router has handled all that was sent before: {@return what has come meanwhile} */
    List<WirePacket> fence() throws IOException {
        WirePacket fence = WirePacket.ping(1, 0);
        send(fence);
        List<WirePacket> packets = new ArrayList<>();
        for (WirePacket next = receive();; next = receive()) {
            assertNotNull(next, () -> "closed, after " + packets);
            if (next.guid().equals(fence.guid())) {
                assertEquals(WirePacket.PONG, next.type());
                return packets;
            }
            packets.add(next);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
