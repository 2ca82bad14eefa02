package dev.sluice.handle;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.sluice.calls.Errno;
import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.system.Scratch;
import java.io.IOException;
import java.lang.ref.Reference;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A datagram socket, UDP or Unix domain: the papers' SOCK_Dgram. */
public final class SocketDatagram extends SocketEndpoint {

    /** Result of {@link #receive} when no datagram is waiting. */
    public static final int NONE = -1;

    /** Maximum number of bytes copied for one datagram, more than any system supports. */
    private static final int MAX_COPIED = 1 << 30;

    /** Whether a received message may consist of several coalesced datagrams. */
    private volatile boolean coalesced;

    private SocketDatagram(Handle handle, int family) {
        super(handle, family);
    }

    /**
     * Opens and binds a socket.
     *
     * @param address the address; port 0 lets the system choose
     * @return the socket
     * @throws SystemCallException          if the address is in use, may not be bound, or does not belong to this
     *                                      machine
     * @throws java.net.UnknownHostException if the address is unresolved: its name is not looked up here
     */
    @CheckReturnValue
    public static SocketDatagram open(SocketAddress address) throws IOException {
        SocketDatagram datagram = create(SocketAddresses.family(address));
        try {
            return datagram.bind(address);
        } catch (Throwable e) {
            datagram.close();
            throw e;
        }
    }

    /**
     * Opens a socket that is not bound; the first send binds it.
     *
     * @param family {@code INET}, {@code INET6} or {@code UNIX} of {@link java.net.StandardProtocolFamily}
     * @return the socket
     * @throws SystemCallException if the system has no more descriptors, or does not support this family
     */
    @CheckReturnValue
    public static SocketDatagram unbound(ProtocolFamily family) throws IOException {
        return create(family(family));
    }

    private static SocketDatagram create(int family) throws IOException {
        Handle handle = openSocket(family, SocketConstants.SOCK_DGRAM, protocol(family, SocketConstants.SOCK_DGRAM));
        try {
            return new SocketDatagram(handle, family);
        } catch (Throwable e) {
            handle.close();
            throw e;
        }
    }

    /**
     * Binds the socket.
     *
     * @param address the address
     * @return this socket
     * @throws SystemCallException if the address is in use, may not be bound, or does not belong to this machine
     */
    public SocketDatagram bind(SocketAddress address) throws IOException {
        call("bind", address, system::bind);
        descriptor.describe(protocol(family, SocketConstants.SOCK_DGRAM) + " " + SocketAddresses.show(localAddress()));
        return this;
    }

    /**
     * Connects the socket to a peer: {@link #send(ByteBuffer)} sends to it, and only its datagrams and errors are
     * received.
     *
     * @param peer the address
     * @throws SystemCallException if there is no route to it
     */
    public void connect(SocketAddress peer) throws IOException {
        call("connect", peer, system::connectDatagram);
    }

    /**
     * Creates a peer's address in the form that this socket's family requires.
     *
     * @param address of the peer
     * @return the address in the system's form
     * @throws java.net.UnknownHostException if the address is unresolved: its name is not looked up here
     */
    @CheckReturnValue
    public PeerAddress peer(SocketAddress address) throws IOException {
        return PeerAddress.of(address, family);
    }

    /**
     * Switches on receive offload. Returns whether the system coalesces datagrams from now on; false if it does not
     * support that.
     */
    boolean enableReceiveOffload() throws IOException {
        // Set before the first coalesced message can arrive.
        coalesced = true;
        coalesced = call(fd -> system.enableReceiveOffload(fd) ? 1 : 0) != 0;
        return coalesced;
    }

    /**
     * Checks that each received message is a single datagram.
     *
     * @throws IllegalStateException if datagrams may be coalesced, since a {@link DatagramBatch#coalesced} has been
     *                               created for the socket
     */
    public void requireSeparate() {
        if (coalesced) {
            throw new IllegalStateException("datagrams may arrive coalesced at " + descriptor
                    + ": only DatagramBatch.coalesced can split them");
        }
    }

    /**
     * Receives one datagram if one is waiting. Bytes that do not fit into the buffer are lost.
     *
     * @param destination takes the bytes that fit; its position advances by these
     * @param sender      set to the address it came from; may be null
     * @return the datagram's full length in bytes, 0 for an empty one; more than the buffer had remaining if it was
     *         truncated (on Windows one more, because the system does not report the length); {@link #NONE} if no
     *         datagram is waiting
     * @throws SystemCallException   if an earlier datagram met an error, such as {@code ECONNREFUSED} from a connected
     *                               peer; {@link ErrorScope#ofReceive} returns whether the next one can be received
     * @throws HandleClosedException if this socket is closed
     * @throws IllegalStateException if a {@link DatagramBatch#coalesced} has been created for the socket
     */
    @CheckReturnValue
    public int receive(ByteBuffer destination, @Nullable PeerAddress sender) throws IOException {
        ByteTransfer.requireWritable(destination);
        requireSeparate();
        int position = destination.position();
        long start = ByteTransfer.address(descriptor, destination);
        boolean copies = start < 0;
        int space = copies ? Math.min(destination.remaining(), MAX_COPIED) : destination.remaining();
        try (Scratch scratch = scratch(copies, space)) {
            int length = receive(scratch, copies ? scratch.address(Scratch.COPY) : start + position, space, sender);
            int taken = Math.min(length, space);
            if (taken > 0) {
                if (copies) {
                    destination.put(position, scratch.memory(), Scratch.COPY, taken);
                }
                destination.position(position + taken);
            }
            return length;
        } finally {
            Reference.reachabilityFence(destination);
        }
    }

    private Scratch scratch(boolean copies, int bytes) {
        return copies ? Scratch.withCapacity(descriptor.binding(), bytes) : Scratch.borrow(descriptor.binding());
    }

    private int receive(Scratch scratch, long address, int space, @Nullable PeerAddress sender) throws IOException {
        long fd = descriptor.acquire();
        long result;
        try {
            do {
                result = system.receiveFrom(fd, address, space, scratch);
            } while (result < 0 && Errno.EINTR.is(result));
        } finally {
            descriptor.release();
        }
        if (wouldBlock(result)) {
            return NONE;
        }
        check("recvfrom", result);
        if (sender != null) {
            sender.readFrom(scratch.memory(), Scratch.ADDRESS, scratch.memory().getInt(Scratch.LENGTH));
        }
        return (int) result;
    }

    /**
     * Sends one datagram to the connected peer.
     *
     * @param source the datagram, sent whole or not at all
     * @return whether the socket's buffer took it
     * @throws SystemCallException if it cannot be sent, such as {@code EMSGSIZE}, {@code EDESTADDRREQ} on a socket that
     *                             is not connected, or {@code ECONNREFUSED} for an earlier one
     */
    public boolean send(ByteBuffer source) throws IOException {
        long address = ByteTransfer.address(descriptor, source);
        try (Scratch scratch = scratch(source, address)) {
            return send(scratch, source, address, 0);
        }
    }

    /**
     * Sends one datagram as {@link #send(ByteBuffer)} does.
     *
     * @param peer the address to send to
     * @throws SystemCallException if it cannot be sent, such as {@code EMSGSIZE}
     */
    public boolean send(ByteBuffer source, SocketAddress peer) throws IOException {
        long address = ByteTransfer.address(descriptor, source);
        try (Scratch scratch = scratch(source, address)) {
            return send(scratch, source, address,
                    SocketAddresses.write(peer, family, scratch.memory(), Scratch.ADDRESS));
        }
    }

    /**
     * Sends one datagram, typically a reply to the sender of another one. A sender address may be forged; to one with
     * port 0, for example, no reply can be sent ({@code EINVAL}). So a server must catch the exception and continue
     * with the next peer, if {@link ErrorScope#ofSend} permits that.
     *
     * @param source the datagram, sent whole or not at all
     * @param peer   the address to send to
     * @return whether the socket's buffer took it
     * @throws IllegalArgumentException if the address names no peer
     * @throws SystemCallException      if it cannot be sent, such as {@code EMSGSIZE}
     */
    public boolean send(ByteBuffer source, PeerAddress peer) throws IOException {
        if (!peer.hasAddress()) {
            throw new IllegalArgumentException("the address names no peer");
        }
        long address = ByteTransfer.address(descriptor, source);
        try (Scratch scratch = scratch(source, address)) {
            return send(scratch, source, address, peer.writeTo(scratch.memory(), Scratch.ADDRESS));
        }
    }

    // A datagram is copied as a whole, so that the system call can read it.
    private Scratch scratch(ByteBuffer source, long start) throws IOException {
        boolean copies = start < 0;
        if (copies && source.remaining() > MAX_COPIED) {
            check("sendto", -Errno.EMSGSIZE.number());
        }
        return scratch(copies, source.remaining());
    }

    private boolean send(Scratch scratch, ByteBuffer source, long start, int addressLength) throws IOException {
        int length = source.remaining();
        int position = source.position();
        long address = start + position;
        if (start < 0) {
            scratch.memory().put(Scratch.COPY, source, position, length);
            address = scratch.address(Scratch.COPY);
        }
        long fd = descriptor.acquire();
        long result;
        try {
            do {
                result = system.sendTo(fd, address, length, scratch, addressLength);
            } while (result < 0 && Errno.EINTR.is(result));
        } finally {
            descriptor.release();
            Reference.reachabilityFence(source);
        }
        if (wouldBlock(result)) {
            return false;
        }
        check("sendto", result);
        source.position(source.limit());
        return true;
    }
}
