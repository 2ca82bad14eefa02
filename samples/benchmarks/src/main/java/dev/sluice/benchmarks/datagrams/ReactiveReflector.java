package dev.sluice.benchmarks.datagrams;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.handle.DatagramBatch;
import dev.sluice.handle.DatagramSendBatch;
import dev.sluice.handle.PeerAddress;
import dev.sluice.handle.SocketDatagram;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.Reactor;
import dev.sluice.reactor.Registration;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;

/** A {@link Reactor}, and a socket whose datagrams are received and sent back one at a time or several. */
public final class ReactiveReflector extends ReflectorWorkload implements EventHandler {

    private static final int CAPACITY = 64;

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_SIZE);
    private final PeerAddress sender = new PeerAddress();
    private final SocketDatagram socket = SocketDatagram.open(DatagramWorkload.anyPort());
    private final DatagramSendBatch answers = new DatagramSendBatch(socket, CAPACITY, BUFFER_SIZE);
    private final DatagramBatch received;
    private final Reactor reactor;
    private Throwable failure;

    /**
     * Opens it.
     *
     * @param arguments the size of a datagram, how they are sent, how to receive and send, and the demultiplexer
     * @throws IOException if it cannot be opened
     */
    public ReactiveReflector(List<String> arguments) throws IOException {
        super(arguments);
        received = switch (arguments.get(2)) {
            case ReactiveReceiver.BATCH -> new DatagramBatch(socket, CAPACITY, BUFFER_SIZE);
            case DatagramSuite.JOINED -> DatagramBatch.coalesced(socket, CAPACITY);
            default -> null;
        };
        answers.useSegmentation(arguments.get(2).equals(DatagramSuite.JOINED));
        reactor = Reactor.open(arguments.get(3));
        reactor.register(socket.handle(), Interest.READ, this);
    }

    @Override
    InetSocketAddress address() throws IOException {
        return (InetSocketAddress) socket.localAddress();
    }

    @Override
    void reflect() throws IOException {
        reactor.runOnce(WAIT);
        if (failure != null) {
            throw new IOException(failure);
        }
    }

    @Override
    public void handleInput(Registration registration) throws IOException {
        if (received == null) {
            reflectOneByOne();
        } else {
            reflectSeveral();
        }
    }

    private void reflectOneByOne() throws IOException {
        while (socket.receive(buffer.clear(), sender) != SocketDatagram.NONE) {
            if (!socket.send(buffer.flip(), sender)) {
                throw socketFull();
            }
        }
    }

    private void reflectSeveral() throws IOException {
        do {
            int count = received.receive();
            for (int i = 0; i < count; i++) {
                received.sender(i, sender);
                if (!answers.add(received.datagram(i), sender)) {
                    sendAnswers();
                    answers.add(received.datagram(i), sender);
                }
            }
            sendAnswers();
        } while (received.isFull());
    }

    private void sendAnswers() throws IOException {
        answers.send();
        if (answers.count() > 0) {
            throw socketFull();
        }
    }

    @Override
    public void handleFailure(Registration registration, Throwable cause) {
        failure = cause;
    }

    @Override
    public void close() {
        reactor.close();
        answers.close();
        if (received != null) {
            received.close();
        }
        socket.close();
    }
}
