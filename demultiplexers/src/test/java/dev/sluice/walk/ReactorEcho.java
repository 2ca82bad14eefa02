package dev.sluice.walk;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.Reactor;
import dev.sluice.reactor.Registration;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Sends back what a reactor's handler receives. */
final class ReactorEcho extends EchoProgram implements EventHandler {

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(1024);
    private SocketStream near;
    private Reactor reactor;

    public static void main(String[] none) throws IOException, InterruptedException {
        new ReactorEcho().run();
    }

    @Override
    void serve(SocketStream stream) throws IOException {
        near = stream;
        try (Reactor opened = Reactor.open()) {
            reactor = opened;
            reactor.register(near.handle(), Interest.READ, this);
            reactor.run();
        }
    }

    @Override
    public void handleInput(Registration registration) throws IOException {
        int received = near.receive(buffer.clear());
        if (received < 0) {
            reactor.stop();
            return;
        }
        near.send(buffer.flip());
        echoed();
    }
}
