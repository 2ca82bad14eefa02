package dev.sluice.samples.first;

import dev.sluice.connection.Acceptor;
import dev.sluice.connection.ServiceHandler;
import dev.sluice.reactor.Reactor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;

/** Sends back whatever it receives. */
public final class FirstProgram extends ServiceHandler {

    @Override
    protected void received(ByteBuffer bytes) {
        output().send(bytes);
    }

    public static void main(String[] args) throws IOException {
        try (Reactor reactor = Reactor.open()) {
            int port = Integer.getInteger("port", 7007);
            Acceptor.listen(reactor, new InetSocketAddress("127.0.0.1", port), FirstProgram::new);
            reactor.stopOnTermination(Duration.ofSeconds(5));
            reactor.run();
        }
    }
}
