package dev.sluice.benchmarks.roundtrip;

import dev.sluice.handle.NativeSocketOptions;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketStream;
import java.io.IOException;
import java.net.InetSocketAddress;

/** How Sluice's servers get their connection. */
final class SluiceStreams {

    private SluiceStreams() {
    }

    /**
     * Accepts the one connection of a server.
     *
     * @param acceptor where it comes
     * @return the connection, which sends without delay
     * @throws IOException if none comes
     */
    static SocketStream accept(SocketAcceptor acceptor) throws IOException {
        SocketStream stream = acceptor.accept(EchoServer.TIMEOUT);
        if (acceptor.localAddress() instanceof InetSocketAddress) {
            stream.setOption(NativeSocketOptions.TCP_NODELAY, true);
        }
        return stream;
    }
}
