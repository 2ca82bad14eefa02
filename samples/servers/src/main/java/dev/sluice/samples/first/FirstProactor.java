package dev.sluice.samples.first;

import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.proactor.AsyncAcceptor;
import dev.sluice.proactor.AsyncStream;
import dev.sluice.proactor.Proactor;
import dev.sluice.proactor.StreamHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;

/** Sends back whatever it receives, by completions. */
public final class FirstProactor implements StreamHandler {

    @Override
    public void received(AsyncStream stream, ProvidedBuffer buffer) {
        stream.send(buffer);
    }

    public static void main(String[] args) throws IOException {
        try (Proactor proactor = Proactor.open()) {
            int port = Integer.getInteger("port", 7007);
            AsyncAcceptor.listen(proactor, new InetSocketAddress("127.0.0.1", port), FirstProactor::new);
            proactor.stopOnTermination(Duration.ofSeconds(5));
            proactor.run();
        }
    }
}
