package dev.sluice.samples.first;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.handle.ErrorScope;
import dev.sluice.handle.PeerAddress;
import dev.sluice.handle.SocketDatagram;
import dev.sluice.handle.SystemCallException;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.Reactor;
import dev.sluice.reactor.Registration;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;

/** Sends each datagram back to where it came from. */
public final class FirstDatagram implements EventHandler {

    private static final Duration PAUSE = Duration.ofMillis(100);

    private final Reactor reactor;
    private final SocketDatagram socket =
            SocketDatagram.open(new InetSocketAddress("127.0.0.1", Integer.getInteger("port", 7007)));
    private final ByteBuffer datagram = ByteBuffer.allocateDirect(65_536);
    private final PeerAddress sender = new PeerAddress();
    private long unanswered;

    FirstDatagram(Reactor reactor) throws IOException {
        this.reactor = reactor;
    }

    Registration open() throws IOException {
        return reactor.register(socket.handle(), Interest.READ, this);
    }

    @Override
    public void handleInput(Registration registration) throws IOException {
        while (receive(registration)) {
            try {
                // False if there is no space for it now: then it is lost, as datagrams may be.
                socket.send(datagram.flip(), sender);
            } catch (SystemCallException e) {
                // This sender cannot be answered, as one that claims to have port 0; others can.
                unanswered++;
            }
        }
    }

    private boolean receive(Registration registration) throws IOException {
        try {
            return socket.receive(datagram.clear(), sender) != SocketDatagram.NONE;
        } catch (SystemCallException e) {
            switch (ErrorScope.ofReceive(e)) {
                // For example, no socket received an answer. The socket stays usable.
                case PEER -> unanswered++;
                // For example a lack of memory. The socket stays ready, so it is paused for a moment.
                case TEMPORARY -> {
                    registration.pause();
                    reactor.schedule(token -> registration.resume(), null, PAUSE);
                }
                default -> throw e;
            }
            return false;
        }
    }

    public static void main(String[] args) throws IOException {
        try (Reactor reactor = Reactor.open()) {
            new FirstDatagram(reactor).open();
            reactor.run();
        }
    }
}
