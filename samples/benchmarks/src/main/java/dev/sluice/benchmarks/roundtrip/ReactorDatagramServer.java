package dev.sluice.benchmarks.roundtrip;

import dev.sluice.demultiplexer.EventType;
import dev.sluice.handle.Handle;
import dev.sluice.handle.PeerAddress;
import dev.sluice.handle.SocketDatagram;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.Reactor;
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
            reactor.registerHandler(new Echo(socket), EventType.READ);
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
        public Handle handle() {
            return socket.handle();
        }

        @Override
        public void handleInput(Handle handle) throws IOException {
            if (socket.receive(buffer.clear(), sender) != SocketDatagram.NONE) {
                socket.send(buffer.flip(), sender);
                requireSent(buffer.remaining());
            }
        }
    }
}
