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

    /** What {@link #receive} returns when no datagram is waiting. */
    public static final int NONE = -1;

    /** No system has longer datagrams, and one that cannot be copied whole is not sent. */
    private static final int MAX_COPIED = 1 << 30;

    /** Whether what arrives may be several datagrams in one. */
    private volatile boolean joined;

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
     * Opens a socket that is not bound; the system binds it at the first send.
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
     * Fixes the peer: {@link #send(ByteBuffer)} goes to it, and only its datagrams and errors arrive.
     *
     * @param peer the address
     * @throws SystemCallException if there is no route to it
     */
    public void connect(SocketAddress peer) throws IOException {
        call("connect", peer, system::connectDatagram);
    }

    /**
     * Creates a peer's address in the form that this socket's family needs.
     *
     * @param address of the peer
     * @return the same in the system's form
     * @throws java.net.UnknownHostException if the address is unresolved: its name is not looked up here
     */
    @CheckReturnValue
    public PeerAddress peer(SocketAddress address) throws IOException {
        return PeerAddress.of(address, family);
    }

    /** {@return whether datagrams arrive joined from now on; false where the system lacks that} */
    boolean joinArrivals() throws IOException {
        // Before the first can arrive.
        joined = true;
        joined = call(fd -> system.joinArrivals(fd) ? 1 : 0) != 0;
        return joined;
    }

    /**
     * Checks that the socket receives datagrams one by one.
     *
     * @throws IllegalStateException if several may arrive as one: the socket has had a {@link DatagramBatch#joined}
     */
    public void requireSeparate() {
        if (joined) {
            throw new IllegalStateException("several datagrams may arrive as one at " + descriptor
                    + ": only a joined DatagramBatch can take them apart");
        }
    }

    /**
     * Receives one datagram if one is waiting. What does not fit into the buffer is lost.
     *
     * @param destination takes the bytes that fit; its position advances by these
     * @param sender      set to the address it came from; may be null
     * @return the datagram's full length in bytes, 0 for an empty one, more than the buffer had room for if it was cut
     *         off, on Windows by one, as the system does not report it; {@link #NONE} if no datagram is waiting
     * @throws SystemCallException   if an earlier datagram met an error, such as {@code ECONNREFUSED} from a connected
     *                               peer; {@link ErrorScope#ofReceive} says whether the next one can be received
     * @throws HandleClosedException if this socket is closed
     * @throws IllegalStateException if the socket has had a {@link DatagramBatch#joined}
     */
    @CheckReturnValue
    public int receive(ByteBuffer destination, @Nullable PeerAddress sender) throws IOException {
        ByteTransfer.requireWritable(destination);
        requireSeparate();
        int position = destination.position();
        long start = ByteTransfer.address(descriptor, destination);
        boolean copies = start < 0;
        int room = copies ? Math.min(destination.remaining(), MAX_COPIED) : destination.remaining();
        try (Scratch scratch = scratch(copies, room)) {
            int length = receive(scratch, copies ? scratch.address(Scratch.COPY) : start + position, room, sender);
            int taken = Math.min(length, room);
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

    private int receive(Scratch scratch, long address, int room, @Nullable PeerAddress sender) throws IOException {
        long fd = descriptor.acquire();
        long result;
        try {
            do {
                result = system.receiveFrom(fd, address, room, scratch);
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
     * Sends one datagram, typically an answer to where one came from. A sender may claim any address, one with port 0
     * too, which cannot be answered ({@code EINVAL}): so a server catches the exception, and goes on with the next
     * peer. {@link ErrorScope#ofSend} says whether it can.
     *
     * @param source the datagram, sent whole or not at all
     * @param peer   the address to send to
     * @return whether the socket's buffer took it
     * @throws IllegalArgumentException if the address names no peer
     * @throws SystemCallException      if it cannot be sent, such as {@code EMSGSIZE}
     */
    public boolean send(ByteBuffer source, PeerAddress peer) throws IOException {
        if (!peer.isPresent()) {
            throw new IllegalArgumentException("the address names no peer");
        }
        long address = ByteTransfer.address(descriptor, source);
        try (Scratch scratch = scratch(source, address)) {
            return send(scratch, source, address, peer.writeTo(scratch.memory(), Scratch.ADDRESS));
        }
    }

    // The whole datagram must lie where the system call can read it.
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
