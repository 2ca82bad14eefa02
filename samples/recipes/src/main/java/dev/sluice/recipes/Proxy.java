package dev.sluice.recipes;

import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.proactor.AsyncAcceptor;
import dev.sluice.proactor.AsyncStream;
import dev.sluice.proactor.ProactorGroup;
import dev.sluice.proactor.StreamHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;

/**
 * Connects each client with a server: what one side receives, the other sends, and what one side has not sent pauses
 * the input of the other.
 */
public final class Proxy implements StreamHandler {

    private final SocketAddress upstream;
    private AsyncStream other;

    private Proxy(SocketAddress upstream, AsyncStream other) {
        this.upstream = upstream;
        this.other = other;
    }

    @Override
    public void opened(AsyncStream stream) {
        if (other == null) {
            other = AsyncStream.connect(stream.proactor(), upstream, Duration.ofSeconds(5), new Proxy(null, stream));
            other.output().pauses(stream);
            stream.output().pauses(other);
        }
    }

    @Override
    public void received(AsyncStream stream, ProvidedBuffer buffer) {
        other.send(buffer);
    }

    @Override
    public void ended(AsyncStream stream) {
        other.output().shutdownWhenSent();
    }

    @Override
    public void finish(AsyncStream stream) {
        // Both sides end first, or the deadline comes.
    }

    @Override
    public void closed(AsyncStream stream) {
        if (other != null) {
            other.closeWhenSent();
        }
    }

    public static void main(String[] args) throws IOException {
        SocketAddress upstream = new InetSocketAddress(args[1], Integer.parseInt(args[2]));
        try (ProactorGroup group = ProactorGroup.open()) {
            AsyncAcceptor.listen(group, new InetSocketAddress(Integer.parseInt(args[0])),
                    () -> new Proxy(upstream, null));
            group.stopOnTermination(Duration.ofSeconds(5));
            group.run();
        }
    }
}
