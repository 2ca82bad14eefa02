package dev.sluice.samples.first;

import dev.sluice.connection.Connector;
import dev.sluice.connection.ServiceHandler;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.Reactor;
import dev.sluice.reactor.Registration;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;

/** Says hello to an echo server, prints what comes back, and ends. */
public final class FirstConnector {

    private static final class Hello extends ServiceHandler {

        private final Reactor reactor;
        private final ByteBuffer received = ByteBuffer.allocate(4096);

        Hello(Reactor reactor) {
            this.reactor = reactor;
        }

        @Override
        protected void open() throws IOException {
            peer().send(ByteBuffer.wrap("hello\n".getBytes()));
            peer().shutdownOutput();
        }

        @Override
        public void handleInput(Registration registration) throws IOException {
            if (peer().receive(received) == SocketStream.END_OF_STREAM) {
                peer().close();
            }
        }

        @Override
        public void handleClose(Registration registration) {
            System.out.print(new String(received.array(), 0, received.position()));
            reactor.stop();
        }

        @Override
        protected void connectFailed(Throwable cause) {
            System.err.println(cause.getMessage());
            reactor.stop();
        }
    }

    public static void main(String[] args) throws IOException {
        try (Reactor reactor = Reactor.open()) {
            InetSocketAddress server = new InetSocketAddress("127.0.0.1", 7007);
            new Connector(reactor).connect(new Hello(reactor), server, Duration.ofSeconds(5));
            reactor.run();
        }
    }
}
