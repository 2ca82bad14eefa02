package dev.sluice.walk;

import dev.sluice.demultiplexer.EventType;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.Reactor;
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
            reactor.registerHandler(this, EventType.READ);
            reactor.run();
        }
    }

    @Override
    public Handle handle() {
        return near.handle();
    }

    @Override
    public void handleInput(Handle handle) throws IOException {
        int received = near.receive(buffer.clear());
        if (received < 0) {
            reactor.stop();
            return;
        }
        near.send(buffer.flip());
        echoed();
    }
}
