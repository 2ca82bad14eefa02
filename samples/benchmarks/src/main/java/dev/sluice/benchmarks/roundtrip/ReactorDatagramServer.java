package dev.sluice.benchmarks.roundtrip;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.handle.PeerAddress;
import dev.sluice.handle.SocketDatagram;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.Reactor;
import dev.sluice.reactor.Registration;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;

/** A Reactor with one datagram socket. */
final class ReactorDatagramServer extends EchoServer {

    private final SocketDatagram socket;
    private final Reactor reactor;

    ReactorDatagramServer(SocketAddress address, String demultiplexer) throws IOException {
        socket = SocketDatagram.open(address);
        reactor = Reactor.open(demultiplexer);
    }

    @Override
    SocketAddress address() throws IOException {
        return socket.localAddress();
    }

    @Override
    void serve() throws IOException {
        try (reactor; socket) {
            reactor.register(socket.handle(), Interest.READ, new Echo(socket));
            reactor.run();
        }
    }

    @Override
    void stop() {
        reactor.stop();
    }

    /** Sends each datagram back to where it has come from. */
    private record Echo(SocketDatagram socket, ByteBuffer buffer, PeerAddress sender) implements EventHandler {

        Echo(SocketDatagram socket) {
            this(socket, ByteBuffer.allocateDirect(BUFFER_SIZE), new PeerAddress());
        }

        @Override
        public void handleInput(Registration registration) throws IOException {
            if (socket.receive(buffer.clear(), sender) != SocketDatagram.NONE) {
                socket.send(buffer.flip(), sender);
                requireSent(buffer.remaining());
            }
        }
    }
}
