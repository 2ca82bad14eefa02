package dev.sluice.benchmarks.roundtrip;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** How the servers on java.nio get their connection. */
final class Channels {

    private Channels() {
    }

    /**
     * Listens.
     *
     * @param address the address
     * @return the acceptor; the caller closes it
     * @throws IOException if the system refuses
     */
    static ServerSocketChannel listen(SocketAddress address) throws IOException {
        ServerSocketChannel acceptor = address instanceof InetSocketAddress
                ? ServerSocketChannel.open()
                : ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        return acceptor.bind(address);
    }

    /**
     * Accepts the one connection of a server.
     *
     * @param acceptor where it comes
     * @return the connection, which sends without delay
     * @throws IOException if none comes
     */
    static SocketChannel accept(ServerSocketChannel acceptor) throws IOException {
        SocketChannel channel = acceptor.accept();
        if (channel.getLocalAddress() instanceof InetSocketAddress) {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        }
        return channel;
    }
}
