package dev.sluice.benchmarks.datagrams;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.handle.DatagramBatch;
import dev.sluice.handle.PeerAddress;
import dev.sluice.handle.SocketDatagram;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.Reactor;
import dev.sluice.reactor.Registration;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** A {@link Reactor}, and a socket that is read one datagram at a time or several. */
public final class ReactiveReceiver extends DatagramWorkload implements EventHandler {

    /** Tells the constructor that several are to be received at a time. */
    static final String BATCH = "batch";

    private static final int CAPACITY = 64;
    private static final int BUFFER_SIZE = 2048;

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_SIZE).order(ByteOrder.nativeOrder());
    private final PeerAddress sender = new PeerAddress();
    private final SocketDatagram socket = SocketDatagram.open(anyPort());
    private final DatagramBatch batch;
    private final Reactor reactor;
    private Throwable failure;

    /**
     * Opens it.
     *
     * @param arguments the size of a datagram, how they are sent, how to receive, and the demultiplexer
     * @throws IOException if it cannot be opened
     */
    public ReactiveReceiver(List<String> arguments) throws IOException {
        super(arguments);
        batch = switch (arguments.get(2)) {
            case BATCH -> new DatagramBatch(socket, CAPACITY, BUFFER_SIZE);
            case DatagramSuite.JOINED -> DatagramBatch.coalesced(socket, CAPACITY);
            default -> null;
        };
        reactor = Reactor.open(arguments.get(3));
        reactor.register(socket.handle(), Interest.READ, this);
    }

    @Override
    int port() throws IOException {
        return ((InetSocketAddress) socket.localAddress()).getPort();
    }

    @Override
    void receive() throws IOException {
        while (!arrivals().isOver()) {
            reactor.runOnce();
            if (failure != null) {
                throw new IOException(failure);
            }
        }
    }

    @Override
    public void handleInput(Registration registration) throws IOException {
        discard();
    }

    @Override
    void discard() throws IOException {
        if (batch == null) {
            while (socket.receive(buffer.clear(), sender) != SocketDatagram.NONE) {
                arrivals().take(buffer.flip());
            }
            return;
        }
        do {
            int count = batch.receive();
            for (int i = 0; i < count; i++) {
                batch.sender(i, sender);
                arrivals().take(batch.datagram(i).order(ByteOrder.nativeOrder()));
            }
        } while (batch.isFull());
    }

    @Override
    public void handleFailure(Registration registration, Throwable cause) {
        failure = cause;
    }

    @Override
    public void close() {
        reactor.close();
        if (batch != null) {
            batch.close();
        }
        socket.close();
    }
}
