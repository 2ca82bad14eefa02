package dev.sluice.handle;

import dev.sluice.calls.Errno;
import dev.sluice.calls.Platform;

/**
 * What an error concerns that a call on a socket for many peers returns: a listening socket, or a datagram socket that
 * is not connected. Linux hands a pending network error of a new connection to {@code accept} (accept(2), "Error
 * handling"), systems report with one datagram what an earlier one met, and an address that a peer has forged fails
 * only when it is answered. None of these may end the service of the others.
 */
public enum ErrorScope {

    /** One peer: its connection or datagram is lost. Go on with the next one at once. */
    PEER,
    /**
     * No peer in particular, and it passes: a shortage of descriptors or memory, or a rule of a firewall or a security
     * module. The same call would fail again immediately; continue after a pause.
     */
    TEMPORARY,
    /** The socket itself, on which no such call can succeed any more. */
    SOCKET;

    /**
     * The scope of an error of accepting a connection.
     *
     * @param failure of the call; errors without a name count as temporary
     * @return what it concerns
     */
    public static ErrorScope ofAccept(SystemCallException failure) {
        return ofAccept(failure.error());
    }

    /** {@link #ofAccept(SystemCallException)}, by the negated error number that the call returned. */
    public static ErrorScope ofAccept(long result) {
        return ofAccept(Errno.of(result));
    }

    static ErrorScope ofAccept(Errno error) {
        return switch (error) {
            case EBADF, EFAULT, EINVAL, ENOTSOCK -> SOCKET;
            // On Windows it says that the network subsystem has failed, whichever connection is next.
            case ENETDOWN -> Platform.CURRENT.os() == Platform.Os.WINDOWS ? TEMPORARY : PEER;
            case EINTR, ECONNABORTED, ECONNREFUSED, ECONNRESET, EHOSTDOWN, EHOSTUNREACH, ENETRESET, ENETUNREACH,
                    ENONET, ENOPROTOOPT, EOPNOTSUPP, EPIPE, EPROTO, ETIMEDOUT -> PEER;
            default -> TEMPORARY;
        };
    }

    /**
     * The scope of an error of receiving a datagram.
     *
     * @param failure of the call; errors without a name count as temporary
     * @return what it concerns
     */
    public static ErrorScope ofReceive(SystemCallException failure) {
        return ofReceive(failure.error());
    }

    /** {@link #ofReceive(SystemCallException)}, by the negated error number that the call returned. */
    public static ErrorScope ofReceive(long result) {
        return ofReceive(Errno.of(result));
    }

    static ErrorScope ofReceive(Errno error) {
        return switch (error) {
            // On Windows EINVAL says that the socket is not bound, and can receive nothing.
            case EBADF, EFAULT, EINVAL, ENOTCONN, ENOTSOCK -> SOCKET;
            case ENETDOWN -> Platform.CURRENT.os() == Platform.Os.WINDOWS ? TEMPORARY : PEER;
            case EACCES, EINTR, ECONNABORTED, ECONNREFUSED, ECONNRESET, EHOSTDOWN, EHOSTUNREACH, EMSGSIZE, ENETRESET,
                    ENETUNREACH, ENONET, ENOPROTOOPT, EOPNOTSUPP, EPERM, EPIPE, EPROTO, ETIMEDOUT -> PEER;
            default -> TEMPORARY;
        };
    }

    /**
     * The scope of an error of sending a datagram. All that a system may have against an address, a route or a length
     * concerns one peer: {@code EINVAL} is the answer to an address with port 0.
     *
     * @param failure of the call; errors without a name count as that of one peer
     * @return what it concerns
     */
    public static ErrorScope ofSend(SystemCallException failure) {
        return ofSend(failure.error());
    }

    /** {@link #ofSend(SystemCallException)}, by the negated error number that the call returned. */
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
