package dev.sluice.recipes;

import dev.sluice.connection.Acceptor;
import dev.sluice.connection.ServiceHandler;
import dev.sluice.reactor.Reactor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * Sends back whatever it receives, by readiness. What the system does not take at once waits in the output queue, and
 * the input pauses while the peer does not read.
 */
public final class ReactorEcho extends ServiceHandler {

    @Override
    protected void received(ByteBuffer bytes) {
        output().send(bytes);
    }

    public static void main(String[] args) throws IOException {
        try (Reactor reactor = Reactor.open()) {
            Acceptor.listen(reactor, new InetSocketAddress(Integer.parseInt(args[0])), ReactorEcho::new);
            reactor.stopOnTermination(Duration.ofSeconds(5));
            reactor.run();
        }
    }
}
