package dev.sluice.reactor;

import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.eventloop.EventLoopContract;
import dev.sluice.handle.FullSocket;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/** Both ends of a connection: the near one for the reactor, the far one for the test. */
public record Connection(SocketStream near, SocketStream far) implements AutoCloseable {

    public static Connection tcp() throws IOException {
        return open(new InetSocketAddress("127.0.0.1", 0));
    }

    /** Here the one end has at once what the other has sent; except on Windows, which may have TCP only. */
    public static Connection unix() throws IOException {
        if (CalledSystem.isWindows()) {
            return tcp();
        }
        Path directory = Files.createTempDirectory("sluice");
        Path path = directory.resolve("socket");
        try {
            return open(UnixDomainSocketAddress.of(path));
        } finally {
            Files.deleteIfExists(path);
            Files.delete(directory);
        }
    }

    private static Connection open(SocketAddress address) throws IOException {
        try (SocketAcceptor acceptor = SocketAcceptor.open(address)) {
            SocketStream far = SocketConnector.connect(acceptor.localAddress(), EventLoopContract.LIMIT);
            return new Connection(acceptor.accept(EventLoopContract.LIMIT), far);
        }
    }

    public void send(String text) throws IOException {
        far.sendFully(ByteBuffer.wrap(text.getBytes()), EventLoopContract.LIMIT);
    }

    /** Sends until the near end has no room, nor gets any before something is received. */
    public int fill() throws IOException {
        return FullSocket.fill(near, far);
    }

    /** Receives at the far end. */
    public void drain(int bytes) throws IOException {
        ByteBuffer piece = ByteBuffer.allocateDirect(64 * 1024);
        for (int left = bytes; left > 0; left -= piece.position()) {
            piece.clear().limit(Math.min(left, piece.capacity()));
            far.receiveFully(piece, EventLoopContract.LIMIT);
        }
    }

    @Override
    public void close() {
        near.close();
        far.close();
    }
}
