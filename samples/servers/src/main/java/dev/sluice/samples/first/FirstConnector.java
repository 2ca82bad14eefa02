package dev.sluice.samples.first;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.connection.Connector;
import dev.sluice.connection.ServiceHandler;
import dev.sluice.reactor.Reactor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;

/** Says hello to an echo server, prints what comes back, and ends. */
public final class FirstConnector {

    private static final class Hello extends ServiceHandler {

        private final Reactor reactor;

        Hello(Reactor reactor) {
            this.reactor = reactor;
        }

        @Override
        protected void open() {
            output().send(ByteBuffer.wrap("hello\n".getBytes(UTF_8)));
            output().shutdownWhenSent();
        }

        @Override
        protected void received(ByteBuffer bytes) {
            System.out.print(UTF_8.decode(bytes));
        }

        @Override
        protected void connectFailed(Throwable cause) {
            System.err.println(cause.getMessage());
        }

        @Override
        protected void closed() {
            reactor.stop();
        }
    }

    public static void main(String[] args) throws IOException {
        try (Reactor reactor = Reactor.open()) {
            InetSocketAddress server = new InetSocketAddress("127.0.0.1", 7007);
            Connector.connect(reactor, server, Duration.ofSeconds(5), new Hello(reactor));
            reactor.run();
        }
    }
}
