package dev.sluice.recipes;

import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.proactor.AsyncAcceptor;
import dev.sluice.proactor.AsyncStream;
import dev.sluice.proactor.Proactor;
import dev.sluice.proactor.StreamHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * Sends back whatever it receives, by completions. A buffer goes back by itself when it has been sent, and the input
 * pauses while the peer does not read.
 */
public final class ProactorEcho implements StreamHandler {

    @Override
    public void received(AsyncStream stream, ProvidedBuffer buffer) {
        stream.send(buffer);
    }

    public static void main(String[] args) throws IOException {
        try (Proactor proactor = Proactor.open()) {
            AsyncAcceptor.listen(proactor, new InetSocketAddress(Integer.parseInt(args[0])), ProactorEcho::new);
            proactor.stopOnTermination(Duration.ofSeconds(5));
            proactor.run();
        }
    }
}
