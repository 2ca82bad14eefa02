package dev.sluice.handle;

import dev.sluice.calls.layout.SockaddrStorage;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Where a datagram came from, in the system's own form and in a reused object, so that receiving and answering allocate
 * nothing. Belongs to one thread at a time.
 */
public final class PeerAddress {

    private final byte[] bytes = new byte[SockaddrStorage.SIZE];
    private int length;

    /** Makes an address that names no peer yet. */
    public PeerAddress() {
    }

    void readFrom(ByteBuffer memory, int at, int size) {
        length = Math.min(size, bytes.length);
        memory.get(at, bytes, 0, length);
    }

    int writeTo(ByteBuffer memory, int at) {
        memory.put(at, bytes, 0, length);
        return length;
    }

    /** {@return whether a peer is named; a datagram from an unbound Unix domain socket names none} */
    public boolean isPresent() {
        return length > SockaddrStorage.FAMILY + Short.BYTES;
    }

    /**
     * {@return the address as an object of {@code java.net}}
     *
     * @throws IOException if no peer is named
     */
    public SocketAddress toSocketAddress() throws IOException {
        if (!isPresent()) {
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
            return isPresent() ? SocketAddresses.show(toSocketAddress()) : "no peer";
        } catch (IOException e) {
            return e.getMessage();
        }
    }
}
