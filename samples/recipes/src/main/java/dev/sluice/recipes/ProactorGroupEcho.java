package dev.sluice.recipes;

import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.proactor.AsyncAcceptor;
import dev.sluice.proactor.AsyncStream;
import dev.sluice.proactor.ProactorGroup;
import dev.sluice.proactor.StreamHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;

/** Sends back whatever it receives, on all processors: the same as with one loop, but for the group. */
public final class ProactorGroupEcho implements StreamHandler {

    @Override
    public void received(AsyncStream stream, ProvidedBuffer buffer) {
        stream.send(buffer);
    }

    public static void main(String[] args) throws IOException {
        try (ProactorGroup proactor = ProactorGroup.open()) {
            AsyncAcceptor.listen(proactor, new InetSocketAddress(Integer.parseInt(args[0])), ProactorGroupEcho::new);
            proactor.stopOnTermination(Duration.ofSeconds(5));
            proactor.run();
        }
    }
}
