package dev.sluice.benchmarks.datagrams;

import dev.sluice.demultiplexer.EventType;
import dev.sluice.handle.DatagramBatch;
import dev.sluice.handle.Handle;
import dev.sluice.handle.PeerAddress;
import dev.sluice.handle.SocketDatagram;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.Reactor;
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
            case DatagramSuite.JOINED -> DatagramBatch.joined(socket, CAPACITY);
            default -> null;
        };
        reactor = Reactor.open(arguments.get(3));
        reactor.registerHandler(this, EventType.READ);
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
    public Handle handle() {
        return socket.handle();
    }

    @Override
    public void handleInput(Handle handle) throws IOException {
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
    public void handleFailure(Handle handle, Throwable cause) {
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
