package dev.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Posix;
import dev.sluice.calls.layout.SockaddrIn;
import dev.sluice.calls.layout.SockaddrStorage;
import dev.sluice.calls.layout.SocketConstants;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Sends UDP datagrams with any source port, 0 too, which no socket of its own kind has: raw(7). */
public final class RawDatagram {

    private static final int SOCK_RAW = 3;
    private static final int IPPROTO_UDP = 17;
    private static final int HEADER = 8;

    private RawDatagram() {
    }

    /**
     * Sends a datagram from this machine. Skips the test if this process lacks the rights.
     *
     * @param sourcePort what the datagram claims
     * @param target     an address of IPv4
     * @param content    its bytes
     */
    public static void send(int sourcePort, InetSocketAddress target, byte[] content) {
        Posix posix = Bindings.current().posix();
        int socket = posix.socket(SocketConstants.AF_INET, SOCK_RAW, IPPROTO_UDP);
        assumeTrue(!Errno.EPERM.is(socket) && !Errno.EACCES.is(socket), "no right to send raw packets here");
        int length = HEADER + content.length;
        try (MemoryBlock block = Bindings.current().memory().allocate(SockaddrStorage.SIZE + length)) {
            ByteBuffer memory = block.buffer();
            SockaddrStorage.family(memory, 0, SocketConstants.AF_INET);
            memory.put(SockaddrIn.ADDR, target.getAddress().getAddress());
            // Big-endian: source and destination port, length, and no checksum (RFC 768).
            memory.slice(SockaddrStorage.SIZE, length).order(ByteOrder.BIG_ENDIAN)
                    .putShort((short) sourcePort).putShort((short) target.getPort()).putShort((short) length)
                    .putShort((short) 0).put(content);
            assertEquals(length, posix.sendto(socket, block.address() + SockaddrStorage.SIZE, length, 0,
                    block.address(), SockaddrIn.SIZE));
        } finally {
            posix.close(socket);
        }
    }
}
