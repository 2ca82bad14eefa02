package dev.sluice.handle;

import dev.sluice.calls.Errno;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;

/**
 * A TCP connection whose two ends are one socket. A client that tries a port again and again on which nothing listens
 * gets one as soon as the system chooses that very port for the client: TCP takes that for a simultaneous open (RFC
 * 9293, 3.5). It would answer itself with whatever it asks, and keep the server from its port.
 */
final class SelfConnection {

    /** Whether such connections are allowed. */
    private static final boolean ALLOWED = Boolean.getBoolean(SocketConnector.SELF_CONNECTIONS);

    private SelfConnection() {
    }

    /**
     * Refuses a connection to itself, and leaves its port free.
     *
     * @param stream  has just been connected; the caller closes it if this throws
     * @param address that it was to be connected to
     * @throws SystemCallException if nothing but itself is there: {@code ECONNREFUSED}
     */
    static void refuse(SocketStream stream, SocketAddress address) throws IOException {
        if (!ALLOWED && address instanceof InetSocketAddress peer && isSelf(stream, peer)) {
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
            // Some systems have no name for a connection that the peer has reset: another peer, then.
            return false;
        }
    }
}
