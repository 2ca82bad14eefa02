package dev.sluice.samples.first;

import dev.sluice.connection.Acceptor;
import dev.sluice.connection.ServiceHandler;
import dev.sluice.demultiplexer.EventType;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.Reactor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** Sends back whatever it receives. */
public final class FirstProgram {

    private static final ByteBuffer BUFFER = ByteBuffer.allocateDirect(4096);

    private static final class Echo extends ServiceHandler {
        @Override
        protected void open() throws IOException {
            reactor().registerHandler(this, EventType.READ);
        }

        @Override
        public void handleInput(Handle handle) throws IOException {
            if (peer().receive(BUFFER.clear()) == SocketStream.END_OF_STREAM) {
                reactor().removeHandler(this, EventType.READ);
            } else {
                peer().send(BUFFER.flip());
            }
        }
    }

    public static void main(String[] args) throws IOException {
        try (Reactor reactor = Reactor.open()) {
            SocketAcceptor socket = SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 7007));
            new Acceptor(reactor, socket, Echo::new).open();
            reactor.run();
        }
    }
}
