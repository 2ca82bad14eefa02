package dev.sluice.walk;

import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.proactor.AsyncAcceptor;
import dev.sluice.proactor.AsyncStream;
import dev.sluice.proactor.Proactor;
import dev.sluice.proactor.StreamHandler;
import java.io.IOException;

/** Sends back what a stream handler receives, out of the buffer that it came in. */
final class StreamEcho extends EchoProgram implements StreamHandler {

    public static void main(String[] none) throws IOException, InterruptedException {
        StreamEcho program = new StreamEcho();
        try (Proactor proactor = Proactor.open()) {
            AsyncAcceptor acceptor = AsyncAcceptor.listen(proactor, ANY, () -> program);
            Thread peer = program.startPeer(acceptor.localAddress());
            proactor.run();
            peer.join();
        }
    }

    @Override
    public void received(AsyncStream stream, ProvidedBuffer buffer) {
        stream.send(buffer);
    }

    @Override
    public void sent(AsyncStream stream) {
        echoed();
    }

    @Override
    public void closed(AsyncStream stream) {
        stream.proactor().stop();
    }
}
