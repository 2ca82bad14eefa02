package dev.sluice.handle;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.sluice.calls.layout.SockaddrStorage;
import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.deadline.Deadline;
import dev.sluice.failure.StackReserve;
import dev.sluice.system.Scratch;
import java.io.IOException;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A passive-mode stream socket, a factory of {@link SocketStream}s: the papers' SOCK_Acceptor. */
public final class SocketAcceptor extends SocketEndpoint {

    /** Default backlog; the system reduces it to its own limit ({@code net.core.somaxconn}). */
    public static final int DEFAULT_BACKLOG = 4096;

    /** Maximum number of failed connections that one call skips, so that the call is bounded. */
    private static final int MAX_SKIPPED = 1024;
    private static final String UNKNOWN_PEER = "(unknown peer)";

    /** The local address, for messages; empty until the socket is bound. */
    private String localName = "";

    private SocketAcceptor(Handle handle, int family) {
        super(handle, family);
    }

    /**
     * As {@link #open(SocketAddress, int)}, with the default backlog.
     *
     * @throws IOException as there
     */
    @CheckReturnValue
    public static SocketAcceptor open(SocketAddress address) throws IOException {
        return open(address, DEFAULT_BACKLOG);
    }

    /**
     * Opens an acceptor and listens.
     *
     * @param address the local address; with port 0 the system chooses one, see {@link #localAddress()}
     * @param backlog the maximum number of connections that wait to be accepted, at least 1
     * @return the acceptor
     * @throws SystemCallException          if the address is in use, may not be bound, or does not belong to this
     *                                      machine
     * @throws java.net.UnknownHostException if the address is unresolved: its name is not looked up here
     */
    @CheckReturnValue
    public static SocketAcceptor open(SocketAddress address, int backlog) throws IOException {
        SocketAcceptor acceptor = create(SocketAddresses.family(address));
        try {
            acceptor.bind(address, backlog);
            return acceptor;
        } catch (Throwable e) {
            acceptor.close();
            throw e;
        }
    }

    /**
     * Opens an acceptor that is not bound yet, so that options can be set first.
     *
     * @param family {@code INET}, {@code INET6} or {@code UNIX} of {@link java.net.StandardProtocolFamily}
     * @return the acceptor
     * @throws SystemCallException if the system has no more descriptors, or does not support this family
     */
    @CheckReturnValue
    public static SocketAcceptor unbound(ProtocolFamily family) throws IOException {
        return create(family(family));
    }

    /**
     * As {@link #unbound(ProtocolFamily)}, with the family of the address that the acceptor will be bound to.
     *
     * @throws java.net.UnknownHostException if the address is unresolved: its name is not looked up here
     */
    @CheckReturnValue
    public static SocketAcceptor unbound(SocketAddress address) throws IOException {
        return create(SocketAddresses.family(address));
    }

    private static SocketAcceptor create(int family) throws IOException {
        String protocol = protocol(family, SocketConstants.SOCK_STREAM);
        Handle handle = openSocket(family, SocketConstants.SOCK_STREAM, protocol + " acceptor");
        try {
            SocketAcceptor acceptor = new SocketAcceptor(handle, family);
            acceptor.setOption(acceptor.system.acceptorOption(), true);
            return acceptor;
        } catch (Throwable e) {
            handle.close();
            throw e;
        }
    }

    /**
     * Binds and listens. The path of a Unix domain address must not exist, and is not deleted by the close.
     *
     * @param address the local address
     * @param backlog the maximum number of connections that wait to be accepted, at least 1
     * @return this acceptor
     * @throws SystemCallException if the address is in use, may not be bound, or does not belong to this machine
     */
    public SocketAcceptor bind(SocketAddress address, int backlog) throws IOException {
        if (backlog < 1) {
            throw new IllegalArgumentException("backlog: " + backlog);
        }
        call("bind", address, system::bind);
        long result = call(fd -> system.listen(fd, backlog));
        if (result < 0) {
            throw new SystemCallException("listen", SocketAddresses.show(address), result);
        }
        localName = SocketAddresses.show(localAddress());
        descriptor.describe(protocol(family, SocketConstants.SOCK_STREAM) + " acceptor " + localName);
        return this;
    }

    /**
     * Opens another acceptor of the same listening socket, for another loop or thread: each connection is accepted by
     * one of them. The system goes on listening until all of them are closed. Call this before a thread waits in
     * {@link #accept(Duration)}: if this acceptor is closed during a wait that began earlier, the system stops
     * listening, because only a shutdown of the socket ends such a wait.
     *
     * @return the other acceptor
     * @throws SystemCallException           if the system has no more descriptors
     * @throws HandleClosedException         if this acceptor is closed
     * @throws UnsupportedOperationException on Windows
     */
    @CheckReturnValue
    public SocketAcceptor duplicate() throws IOException {
        StackReserve.requireForOpening();
        String subject = protocol(family, SocketConstants.SOCK_STREAM) + " acceptor " + localName;
        long fd;
        long listener = descriptor.acquire();
        try {
            fd = system.duplicate(listener);
        } finally {
            descriptor.release();
        }
        if (fd < 0) {
            throw new SystemCallException("fcntl", handle(), fd);
        }
        descriptor.share();
        Handle own = Handle.owning(descriptor.binding(), fd, true, subject);
        try {
            own.descriptor.share();
            SocketAcceptor other = new SocketAcceptor(own, family);
            other.localName = localName;
            return other;
        } catch (Throwable e) {
            own.close();
            throw e;
        }
    }

    /**
     * Accepts a connection if one is waiting. Connections that have failed in the meantime are skipped.
     *
     * @return the connection, or null if none is waiting
     * @throws SystemCallException   if accepting fails, for example with {@code EMFILE}, in which case the connection
     *                               stays in the backlog; {@link ErrorScope#ofAccept} returns whether another attempt
     *                               may succeed
     * @throws HandleClosedException if this acceptor is closed
     */
    @CheckReturnValue
    public @Nullable SocketStream accept() throws IOException {
        StackReserve.requireForOpening();
        try (Scratch scratch = Scratch.borrow(descriptor.binding())) {
            long fd;
            int attempts = 0;
            long listener = descriptor.acquire();
            try {
                do {
                    scratch.memory().putInt(Scratch.LENGTH, SockaddrStorage.SIZE);
                    fd = system.accept(listener, scratch.address(Scratch.ADDRESS), scratch.address(Scratch.LENGTH));
                } while (isOfOneConnection(fd) && attempts++ < MAX_SKIPPED);
            } finally {
                descriptor.release();
            }
            if (wouldBlock(fd)) {
                return null;
            }
            if (fd < 0) {
                descriptor.requireOpen();
                throw new SystemCallException("accept", handle(), fd);
            }
            return adopt(fd, scratch);
        }
    }

    private static boolean isOfOneConnection(long result) {
        return result < 0 && ErrorScope.ofAccept(result) == ErrorScope.PEER;
    }

    /** Takes over a connection that the system has accepted on this acceptor. */
    SocketStream adopt(long number) {
        return adopt(number, null);
    }

    private SocketStream adopt(long number, @Nullable Scratch peer) {
        String protocol = protocol(family, SocketConstants.SOCK_STREAM);
        Handle accepted = Handle.owning(descriptor.binding(), number, true, protocol);
        try {
            SocketStream stream = new SocketStream(accepted, family);
            accepted.descriptor.describe(protocol + " " + name(stream, peer));
            return stream;
        } catch (Throwable e) {
            accepted.close();
            throw e;
        }
    }

    /** Returns the name of a peer. Its address is in the scratch memory; if that is null, the system is queried. */
    private String name(SocketStream stream, @Nullable Scratch scratch) {
        try {
            SocketAddress peer = scratch == null ? stream.remoteAddress() : SocketAddresses.read(scratch.memory(),
                    Scratch.ADDRESS, scratch.memory().getInt(Scratch.LENGTH));
            String shown = SocketAddresses.show(peer);
            // Without this, unnamed peers of different acceptors would look the same in messages.
            return SocketAddresses.isUnnamed(peer) ? shown + " on " + localName : shown;
        } catch (IOException e) {
            // The peer has already reset the connection, which the first call on the stream will report, or its address
            // cannot be represented in Java. The connection is returned nevertheless.
            return UNKNOWN_PEER;
        }
    }

    /**
     * Accepts a connection, waiting for one if necessary. An interrupt does not end the wait; closing the socket does,
     * with a {@link HandleClosedException}.
     *
     * <p>A virtual thread pins its carrier while it waits: see the description of this package.
     *
     * @param timeout the maximum time to wait; a duration of centuries counts as unbounded
     * @return the connection
     * @throws SocketTimeoutException   if no connection arrived in time
     * @throws IllegalArgumentException if the timeout is negative
     */
    @CheckReturnValue
    public SocketStream accept(Duration timeout) throws IOException {
        Deadline deadline = Deadline.in(timeout);
        SocketStream stream = accept();
        while (stream == null) {
            if (!descriptor.await(true, deadline)) {
                throw new SocketTimeoutException("accept " + this + ": no connection within " + timeout);
            }
            stream = accept();
        }
        return stream;
    }
}
