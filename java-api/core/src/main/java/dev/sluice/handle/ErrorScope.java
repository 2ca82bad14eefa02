package dev.sluice.handle;

import dev.sluice.calls.Errno;
import dev.sluice.calls.Platform;

/**
 * The scope of an error of a socket that serves many peers, which is a listening socket or a datagram socket that is
 * not connected. Linux returns a pending network error of a new connection from {@code accept} (accept(2), "Error
 * handling"), systems report an error of one datagram when another one is sent or received, and a forged sender address
 * fails only when a reply is sent. None of these may end the service for the other peers.
 */
public enum ErrorScope {

    /** One peer: its connection or datagram is lost. Continue with the next one immediately. */
    PEER,
    /**
     * A temporary condition that concerns no particular peer: a shortage of descriptors or memory, or a rule of a
     * firewall or a security module. The same call would fail again immediately; continue after a pause.
     */
    TEMPORARY,
    /** The socket itself, on which no such call can succeed any more. */
    SOCKET;

    /**
     * Returns the scope of an error of accepting a connection.
     *
     * @param failure the failure of the call; errors without a name count as temporary
     * @return the scope
     */
    public static ErrorScope ofAccept(SystemCallException failure) {
        return ofAccept(failure.error());
    }

    /** As {@link #ofAccept(SystemCallException)}, for the negated error number that the call returned. */
    public static ErrorScope ofAccept(long result) {
        return ofAccept(Errno.of(result));
    }

    static ErrorScope ofAccept(Errno error) {
        return switch (error) {
            case EBADF, EFAULT, EINVAL, ENOTSOCK -> SOCKET;
            // On Windows it means that the network subsystem has failed, which affects all connections.
            case ENETDOWN -> Platform.CURRENT.os() == Platform.Os.WINDOWS ? TEMPORARY : PEER;
            case EINTR, ECONNABORTED, ECONNREFUSED, ECONNRESET, EHOSTDOWN, EHOSTUNREACH, ENETRESET, ENETUNREACH,
                    ENONET, ENOPROTOOPT, EOPNOTSUPP, EPIPE, EPROTO, ETIMEDOUT -> PEER;
            default -> TEMPORARY;
        };
    }

    /**
     * Returns the scope of an error of receiving a datagram.
     *
     * @param failure the failure of the call; errors without a name count as temporary
     * @return the scope
     */
    public static ErrorScope ofReceive(SystemCallException failure) {
        return ofReceive(failure.error());
    }

    /** As {@link #ofReceive(SystemCallException)}, for the negated error number that the call returned. */
    public static ErrorScope ofReceive(long result) {
        return ofReceive(Errno.of(result));
    }

    static ErrorScope ofReceive(Errno error) {
        return switch (error) {
            // On Windows EINVAL means that the socket is not bound, so it can receive nothing.
            case EBADF, EFAULT, EINVAL, ENOTCONN, ENOTSOCK -> SOCKET;
            case ENETDOWN -> Platform.CURRENT.os() == Platform.Os.WINDOWS ? TEMPORARY : PEER;
            case EACCES, EINTR, ECONNABORTED, ECONNREFUSED, ECONNRESET, EHOSTDOWN, EHOSTUNREACH, EMSGSIZE, ENETRESET,
                    ENETUNREACH, ENONET, ENOPROTOOPT, EOPNOTSUPP, EPERM, EPIPE, EPROTO, ETIMEDOUT -> PEER;
            default -> TEMPORARY;
        };
    }

    /**
     * Returns the scope of an error of sending a datagram. Errors of an address, a route or a length concern one peer:
     * for example, {@code EINVAL} is the result for an address with port 0.
     *
     * @param failure the failure of the call; errors without a name count as that of one peer
     * @return the scope
     */
    public static ErrorScope ofSend(SystemCallException failure) {
        return ofSend(failure.error());
    }

    /** As {@link #ofSend(SystemCallException)}, for the negated error number that the call returned. */
    public static ErrorScope ofSend(long result) {
        return ofSend(Errno.of(result));
    }

    static ErrorScope ofSend(Errno error) {
        return switch (error) {
            case EBADF, EFAULT, ENOTSOCK -> SOCKET;
            case EAGAIN, ENOBUFS, ENOMEM -> TEMPORARY;
            default -> PEER;
        };
    }
}
