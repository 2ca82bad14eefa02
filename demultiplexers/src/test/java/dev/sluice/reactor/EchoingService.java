package dev.sluice.reactor;

import dev.sluice.calls.SmallJvm;
import dev.sluice.connection.Acceptor;
import dev.sluice.connection.Connector;
import dev.sluice.connection.ServiceHandler;
import dev.sluice.eventloop.EventLoopContract;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** A program that says how many bytes of garbage a message costs that a service handler receives and sends back. */
final class EchoingService extends ServiceHandler {

    private static final int MESSAGES = 50_000;

    private final Reactor reactor;
    private int messages;
    private int target;

    private EchoingService(Reactor reactor) {
        this.reactor = reactor;
    }

    @Override
    protected void received(ByteBuffer bytes) {
        if (++messages == target) {
            reactor.stop();
        }
        output().send(bytes);
    }

    public static void main(String[] none) throws IOException {
        try (Reactor reactor = Reactor.open()) {
            Acceptor acceptor = Acceptor.listen(reactor, new InetSocketAddress("127.0.0.1", 0),
                    () -> new EchoingService(reactor));
            EchoingService client = Connector.connect(reactor, acceptor.localAddress(), EventLoopContract.LIMIT,
                    new EchoingService(reactor));
            client.output().send(ByteBuffer.wrap("a message".getBytes()));
            System.out.println(SmallJvm.MARK + MessageGarbage.bytesPerMessage(MESSAGES, messages -> {
                // Both ends echo.
                client.target = client.messages + messages / 2;
                reactor.run();
            }));
        }
    }
}
