package dev.sluice.recipes;

import dev.sluice.connection.Acceptor;
import dev.sluice.connection.ServiceHandler;
import dev.sluice.reactor.ReactorGroup;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;

/** Sends back whatever it receives, on all processors: the same as with one loop, but for the group. */
public final class ReactorGroupEcho extends ServiceHandler {

    @Override
    protected void received(ByteBuffer bytes) {
        output().send(bytes);
    }

    public static void main(String[] args) throws IOException {
        try (ReactorGroup reactor = ReactorGroup.open()) {
            Acceptor.listen(reactor, new InetSocketAddress(Integer.parseInt(args[0])), ReactorGroupEcho::new);
            reactor.stopOnTermination(Duration.ofSeconds(5));
            reactor.run();
        }
    }
}
