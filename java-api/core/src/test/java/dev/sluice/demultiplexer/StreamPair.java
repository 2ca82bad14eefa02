package dev.sluice.demultiplexer;

import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
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

    /** {@return a loopback address with port 0} */
    static InetSocketAddress loopback() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    static StreamPair tcp() throws IOException {
        return connect(SocketAcceptor.open(loopback()));
    }

    static StreamPair unix() throws IOException {
        Path directory = Files.createTempDirectory("sluice");
        Path path = directory.resolve("socket");
        try {
            return connect(listen(path));
        } finally {
            Files.deleteIfExists(path);
            Files.delete(directory);
        }
    }

    /** {@return a Unix domain socket that listens} */
    static SocketAcceptor listen(Path path) throws IOException {
        return SocketAcceptor.open(UnixDomainSocketAddress.of(path));
    }

    private static StreamPair connect(SocketAcceptor listening) throws IOException {
        try (SocketAcceptor acceptor = listening) {
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
