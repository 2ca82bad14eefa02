package dev.sluice.demultiplexer;

import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Both ends of a connection.
 *
 * @param near the accepted one
 * @param far  the one that has connected
 */
record StreamPair(SocketStream near, SocketStream far) implements Closeable {

    /** {@return an address of this machine, the port for the system to choose} */
    static InetSocketAddress loopback() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    static StreamPair tcp() throws IOException {
        return connect(loopback());
    }

    static StreamPair unix() throws IOException {
        Path directory = Files.createTempDirectory("sluice");
        Path path = directory.resolve("socket");
        try {
            return connect(UnixDomainSocketAddress.of(path));
        } finally {
            Files.deleteIfExists(path);
            Files.delete(directory);
        }
    }

    private static StreamPair connect(SocketAddress address) throws IOException {
        try (SocketAcceptor acceptor = SocketAcceptor.open(address)) {
            SocketStream far = SocketConnector.connect(acceptor.localAddress(), DemultiplexerContract.PATIENCE);
            try {
                return new StreamPair(acceptor.accept(DemultiplexerContract.PATIENCE), far);
            } catch (Throwable e) {
                far.close();
                throw e;
            }
        }
    }

    @Override
    public void close() {
        near.close();
        far.close();
    }
}
