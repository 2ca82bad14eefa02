package dev.sluice.handle;

import static dev.sluice.calls.layout.SocketConstants.AF_UNIX;

import dev.sluice.calls.layout.SockaddrStorage;
import dev.sluice.calls.layout.SockaddrUn;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The address of a peer in the system's own form, such as that of the sender of a datagram. Reusable, so that receiving
 * and replying allocate nothing. Confined to one thread at a time.
 */
public final class PeerAddress {

    private final byte[] bytes = new byte[SockaddrStorage.SIZE];
    private int length;

    /** Creates an address that names no peer yet. */
    public PeerAddress() {
    }

    /**
     * Creates the address of a stream socket's peer.
     *
     * @param address an internet or a Unix domain address
     * @return the address in the system's form, for a socket of the address's own family
     * @throws IOException if the address is unresolved, or the path is too long
     */
    public static PeerAddress of(SocketAddress address) throws IOException {
        return of(address, SocketAddresses.family(address));
    }

    static PeerAddress of(SocketAddress address, int family) throws IOException {
        PeerAddress peer = new PeerAddress();
        ByteBuffer memory = ByteBuffer.wrap(peer.bytes).order(ByteOrder.nativeOrder());
        peer.length = SocketAddresses.write(address, family, memory, 0);
        return peer;
    }

    /**
     * Reads the address from a {@code sockaddr} that a call has filled in; for demultiplexers.
     *
     * @param memory the memory that contains the {@code sockaddr}
     * @param at     its offset in bytes
     * @param size   its length in bytes
     */
    public void readFrom(ByteBuffer memory, int at, int size) {
        length = Math.min(size, bytes.length);
        memory.get(at, bytes, 0, length);
        if (length > SockaddrUn.SIZE && isUnix()) {
            // For a path that fills the structure, Linux returns a length that includes a terminating zero, which it
            // does not accept in calls.
            length = SockaddrUn.SIZE;
        }
    }

    /**
     * Writes the address as a {@code sockaddr}; for demultiplexers.
     *
     * @param memory the memory, with space for the largest {@code sockaddr}
     * @param at     its offset in bytes
     * @return its length in bytes
     */
    public int writeTo(ByteBuffer memory, int at) {
        memory.put(at, bytes, 0, length);
        return length;
    }

    private boolean isUnix() {
        return SockaddrStorage.family(ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()), 0) == AF_UNIX;
    }

    /** {@return whether a peer is named; a datagram from an unbound Unix domain socket names none} */
    public boolean hasAddress() {
        return length > SockaddrStorage.FAMILY + Short.BYTES;
    }

    /**
     * {@return the address as an object of {@code java.net}}
     *
     * @throws IOException if no peer is named
     */
    public SocketAddress toSocketAddress() throws IOException {
        if (!hasAddress()) {
            throw new IOException("the datagram named no sender");
        }
        return SocketAddresses.read(ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()), 0, length);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PeerAddress peer
                && Arrays.equals(bytes, 0, length, peer.bytes, 0, peer.length);
    }

    @Override
    public int hashCode() {
        int hash = 1;
        for (int i = 0; i < length; i++) {
            hash = 31 * hash + bytes[i];
        }
        return hash;
    }

    @Override
    public String toString() {
        try {
            return hasAddress() ? SocketAddresses.show(toSocketAddress()) : "no peer";
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
