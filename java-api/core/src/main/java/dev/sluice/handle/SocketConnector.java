package dev.sluice.handle;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.sluice.calls.Errno;
import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.deadline.Deadline;
import dev.sluice.system.Scratch;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Actively connects {@link SocketStream}s: the papers' SOCK_Connector.
 *
 * <p>A TCP connection to itself is rejected. The system creates one if no socket listens on the peer's port of this
 * machine and it chooses the same port for the client, because TCP treats that as a simultaneous open (RFC 9293, 3.5).
 * Such a client would receive its own requests, and the server could not bind its port. So the attempt fails with
 * {@code ECONNREFUSED}, as it would for any other port without a listener, and the port is released. With
 * {@code -Dsluice.self-connections=true} such connections are allowed. All connectors of this library use this class,
 * and behave the same way.
 */
public final class SocketConnector {

    /** Name of the system property that allows connections of a TCP socket to itself, if it is {@code true}. */
    public static final String SELF_CONNECTIONS = "sluice.self-connections";

    private static final boolean ALLOWS_SELF_CONNECTIONS = Boolean.getBoolean(SELF_CONNECTIONS);

    private SocketConnector() {
    }

    /**
     * Connects and waits until the connection is established. An interrupt does not end the wait.
     *
     * <p>A virtual thread pins its carrier while it waits: see the description of this package.
     *
     * @param address of the peer
     * @param timeout the maximum time to wait; with a duration of centuries only the system's own timeout applies
     * @return the connection
     * @throws SystemCallException           if the peer refuses ({@code ECONNREFUSED}) or cannot be reached, or if a
     *                                       Unix domain peer's backlog is full ({@code EAGAIN}): the system cannot wait
     *                                       for that, so try again later
     * @throws SocketTimeoutException        if the peer did not answer in time
     * @throws java.net.UnknownHostException if the address is unresolved: its name is not looked up here
     */
    @CheckReturnValue
    public static SocketStream connect(SocketAddress address, Duration timeout) throws IOException {
        Deadline deadline = Deadline.in(timeout);
        Attempt attempt = initiate(address, null);
        SocketStream stream = attempt.stream();
        try {
            if (!attempt.connected()) {
                if (!stream.descriptor.await(false, deadline)) {
                    throw timedOut(address, timeout);
                }
                complete(stream, address);
            }
            return stream;
        } catch (Throwable e) {
            stream.close();
            throw e;
        }
    }

    /**
     * Starts an attempt to connect and returns immediately.
     *
     * @param address of the peer
     * @param local   the address to connect from, or null to let the system choose
     * @return the socket, and whether it is already connected, as is usual for Unix domain sockets
     * @throws SystemCallException           if the attempt failed immediately
     * @throws java.net.UnknownHostException if the address is unresolved: its name is not looked up here
     */
    @CheckReturnValue
    public static Attempt initiate(SocketAddress address, @Nullable SocketAddress local) throws IOException {
        SocketStream stream = unconnected(address, local);
        try {
            // EAGAIN, which only Unix domain sockets return, means that the backlog is full and no attempt was made.
            boolean connected = stream.call("connect", address, stream.system::connect) == 0;
            if (connected) {
                requirePeer(stream, address);
            }
            return new Attempt(stream, connected);
        } catch (Throwable e) {
            stream.close();
            throw e;
        }
    }

    /**
     * Checks that a socket can be connected to an address of this type.
     *
     * @param address of the peer
     * @throws IllegalArgumentException if it is neither an internet nor a Unix domain address, or one without a path
     */
    public static void requireConnectable(SocketAddress address) {
        Objects.requireNonNull(address, "address");
        if (!(address instanceof InetSocketAddress) && !(address instanceof UnixDomainSocketAddress)) {
            throw new IllegalArgumentException("neither an internet nor a Unix domain address: " + address);
        }
        if (address instanceof UnixDomainSocketAddress unix && unix.getPath().toString().isEmpty()) {
            throw new IllegalArgumentException("cannot connect to an unnamed Unix domain address: a path is required");
        }
    }

    /**
     * Opens a socket that is to be connected by an asynchronous operation.
     *
     * @param address of the peer
     * @param local   the address to connect from, or null to let the system choose
     * @return the socket; the caller owns it
     * @throws SystemCallException          if the system has no more descriptors, or the local address is in use
     * @throws java.net.UnknownHostException if the address is unresolved: its name is not looked up here
     */
    @CheckReturnValue
    public static SocketStream unconnected(SocketAddress address, @Nullable SocketAddress local) throws IOException {
        int family = SocketAddresses.family(address);
        String subject = SocketEndpoint.protocol(family, SocketConstants.SOCK_STREAM) + " "
                + SocketAddresses.show(address);
        Handle handle = SocketEndpoint.openSocket(family, SocketConstants.SOCK_STREAM, subject);
        try {
            SocketStream stream = new SocketStream(handle, family);
            if (local != null) {
                stream.call("bind", local, stream.system::bind);
            }
            return stream;
        } catch (Throwable e) {
            handle.close();
            throw e;
        }
    }

    /**
     * Finishes an attempt once its socket has become writable.
     *
     * @param stream  the socket of the attempt
     * @param address of the peer, for messages
     * @throws SystemCallException if the connection was refused or failed, or the socket has connected to itself; the
     *                             caller closes it
     */
    public static void complete(SocketStream stream, SocketAddress address) throws IOException {
        try (Scratch scratch = Scratch.borrow(stream.descriptor.binding())) {
            long error = stream.call(fd -> stream.system.takeError(fd, scratch));
            if (error < 0) {
                throw new SystemCallException("connect", SocketAddresses.show(address), error);
            }
        }
        requirePeer(stream, address);
    }

    /**
     * Rejects a connection of a socket to itself, which an asynchronous operation may have established, and releases
     * its port.
     *
     * @param stream  the socket
     * @param address of the peer
     * @throws SystemCallException if the socket has connected to itself, {@code ECONNREFUSED}; the caller closes it
     */
    public static void requirePeer(SocketStream stream, SocketAddress address) throws IOException {
        if (!ALLOWS_SELF_CONNECTIONS && address instanceof InetSocketAddress peer && isSelf(stream, peer)) {
            // Otherwise the port would be in use for a while after the close: TIME-WAIT.
            stream.setOption(StandardSocketOptions.SO_LINGER, 0);
            throw new SystemCallException("connect", SocketAddresses.show(address), -Errno.ECONNREFUSED.number(),
                    "nothing listens there, and the socket has connected to itself");
        }
    }

    private static boolean isSelf(SocketStream stream, InetSocketAddress peer) throws HandleClosedException {
        try {
            return stream.localAddress() instanceof InetSocketAddress local && local.getPort() == peer.getPort()
                    && (peer.getAddress().isAnyLocalAddress() || local.getAddress().equals(peer.getAddress()));
        } catch (HandleClosedException e) {
            throw e;
        } catch (IOException e) {
            // Some systems return no address of a connection that the peer has reset, so the peer is another socket.
            return false;
        }
    }

    /**
     * Creates the exception for an attempt whose socket did not become writable in time.
     *
     * @param address of the peer
     * @param timeout the timeout of the attempt
     * @return the exception, to be thrown or passed on
     */
    public static SocketTimeoutException timedOut(SocketAddress address, Duration timeout) {
        return new SocketTimeoutException("connect " + SocketAddresses.show(address) + ": no answer within "
                + timeout);
    }

    /**
     * An attempt to connect.
     *
     * @param stream    the socket; the caller owns it
     * @param connected whether it is connected; if not, it becomes writable when the attempt is over, successful or not
     */
    public record Attempt(SocketStream stream, boolean connected) {
    }
}
