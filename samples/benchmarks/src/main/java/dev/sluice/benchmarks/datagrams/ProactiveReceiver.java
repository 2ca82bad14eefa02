package dev.sluice.benchmarks.datagrams;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.handle.PeerAddress;
import dev.sluice.handle.SocketDatagram;
import dev.sluice.proactor.AsyncDatagram;
import dev.sluice.proactor.CompletionHandler;
import dev.sluice.proactor.Proactor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.List;

/** A {@link Proactor}, which always has several receives in flight. */
public final class ProactiveReceiver extends DatagramWorkload implements CompletionHandler {

    private static final int IN_FLIGHT = 64;
    private static final int BUFFER_SIZE = 2048;

    private final SocketDatagram socket = SocketDatagram.open(anyPort());
    private final Proactor proactor;
    private final AsyncDatagram datagrams;
    private boolean begun;
    private boolean closing;
    private IOException failure;

    /** The buffer of one receive. */
    private static final class Slot {
        private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_SIZE).order(ByteOrder.nativeOrder());
        private final PeerAddress sender = new PeerAddress();
    }

    /**
     * Opens it.
     *
     * @param arguments the size of a datagram, how they are sent, and the demultiplexer
     * @throws IOException if it cannot be opened
     */
    public ProactiveReceiver(List<String> arguments) throws IOException {
        super(arguments);
        proactor = Proactor.open(arguments.get(2));
        datagrams = new AsyncDatagram(proactor, socket, this);
    }

    @Override
    int port() throws IOException {
        return ((InetSocketAddress) socket.localAddress()).getPort();
    }

    @Override
    void receive() throws IOException {
        for (int i = 0; !begun && i < IN_FLIGHT; i++) {
            receive(new Slot());
        }
        begun = true;
        while (!arrivals().isOver()) {
            proactor.runOnce();
            if (failure != null) {
                throw failure;
            }
        }
    }

    private void receive(Slot slot) {
        datagrams.receive(slot.buffer.clear(), slot.sender, slot);
    }

    @Override
    public void handleCompletion(Completion completion) {
        if (closing) {
            return;
        }
        Slot slot = (Slot) completion.token();
        try {
            if (!completion.isSuccess()) {
                throw completion.error();
            }
            arrivals().take(slot.buffer.flip());
            receive(slot);
        } catch (IOException e) {
            failure = e;
        }
    }

    @Override
    void discard() throws IOException {
        int hooks;
        do {
            hooks = proactor.runOnce(Duration.ZERO);
        } while (hooks > 0);
    }

    @Override
    public void close() {
        closing = true;
        proactor.close();
        socket.close();
    }
}
