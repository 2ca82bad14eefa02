package dev.sluice.walk;

import dev.sluice.connection.Acceptor;
import dev.sluice.connection.ServiceHandler;
import dev.sluice.reactor.Reactor;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Sends back what a service handler receives. */
final class ServiceEcho extends EchoProgram {

    private final class Service extends ServiceHandler {

        @Override
        protected void received(ByteBuffer bytes) {
            output().send(bytes);
            echoed();
        }

        @Override
        protected void closed() {
            ((Reactor) dispatcher()).stop();
        }
    }

    public static void main(String[] none) throws IOException, InterruptedException {
        ServiceEcho program = new ServiceEcho();
        try (Reactor reactor = Reactor.open()) {
            Acceptor acceptor = Acceptor.listen(reactor, ANY, () -> program.new Service());
            Thread peer = program.startPeer(acceptor.localAddress());
            reactor.run();
            peer.join();
        }
    }
}
