package dev.sluice.samples.first;

import dev.sluice.connection.Acceptor;
import dev.sluice.connection.ServiceHandler;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.Reactor;
import dev.sluice.reactor.Registration;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** Sends back whatever it receives. */
public final class FirstProgram {

    private static final class Echo extends ServiceHandler {

        private final ByteBuffer buffer = ByteBuffer.allocateDirect(4096);

        @Override
        public void handleInput(Registration registration) throws IOException {
            if (peer().receive(buffer) == SocketStream.END_OF_STREAM) {
                registration.close();
            } else {
                registration.interest(Interest.WRITE);
            }
        }

        @Override
        public void handleOutput(Registration registration) throws IOException {
            // As much as there is room for: a slow peer gets the rest later, and nothing is received before.
            peer().send(buffer.flip());
            if (buffer.compact().position() == 0) {
                registration.interest(Interest.READ);
            }
        }
    }

    public static void main(String[] args) throws IOException {
        try (Reactor reactor = Reactor.open()) {
            int port = Integer.getInteger("port", 7007);
            SocketAcceptor socket = SocketAcceptor.open(new InetSocketAddress("127.0.0.1", port));
            new Acceptor(reactor, socket, Echo::new).open();
            reactor.run();
        }
    }
}
