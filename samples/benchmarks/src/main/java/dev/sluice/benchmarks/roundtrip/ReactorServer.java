package dev.sluice.benchmarks.roundtrip;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.Reactor;
import dev.sluice.reactor.Registration;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;

/** A Reactor with one connection. */
final class ReactorServer extends EchoServer {

    private final SocketAcceptor acceptor;
    private final Reactor reactor;

    ReactorServer(SocketAddress address, String demultiplexer) throws IOException {
        acceptor = SocketAcceptor.open(address);
        reactor = Reactor.open(demultiplexer);
    }

    @Override
    SocketAddress address() throws IOException {
        return acceptor.localAddress();
    }

    @Override
    void serve() throws IOException {
        try (acceptor; reactor; SocketStream stream = SluiceStreams.accept(acceptor)) {
            reactor.register(stream.handle(), Interest.READ, new Echo(stream));
            reactor.run();
        }
    }

    @Override
    void stop() {
        reactor.stop();
    }

    /** Echoes what there is. */
    private record Echo(SocketStream stream, ByteBuffer buffer) implements EventHandler {

        Echo(SocketStream stream) {
            this(stream, ByteBuffer.allocateDirect(BUFFER_SIZE));
        }

        @Override
        public void handleInput(Registration registration) throws IOException {
            if (stream.receive(buffer.clear()) < 0) {
                throw new IOException("the client has closed the connection");
            }
            stream.send(buffer.flip());
            requireSent(buffer.remaining());
        }

        @Override
        public void handleFailure(Registration registration, Throwable cause) {
            // It is closed now, which the client notices, unless it has closed it itself.
        }
    }
}
