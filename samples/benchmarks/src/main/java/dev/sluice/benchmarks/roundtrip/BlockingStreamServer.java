package dev.sluice.benchmarks.roundtrip;

import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketStream;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/** Sluice's streams, used by a thread that waits for each message. */
final class BlockingStreamServer extends EchoServer {

    private static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();

    private final SocketAcceptor acceptor;
    private final ByteBuffer buffer;

    BlockingStreamServer(SocketAddress address, int size) throws IOException {
        acceptor = SocketAcceptor.open(address);
        buffer = ByteBuffer.allocateDirect(size);
    }

    @Override
    SocketAddress address() throws IOException {
        return acceptor.localAddress();
    }

    @Override
    void serve() throws IOException {
        try (acceptor; SocketStream stream = SluiceStreams.accept(acceptor)) {
            while (stream.receiveFully(buffer.clear(), FOREVER)) {
                stream.sendFully(buffer.flip(), FOREVER);
            }
        }
    }
}
