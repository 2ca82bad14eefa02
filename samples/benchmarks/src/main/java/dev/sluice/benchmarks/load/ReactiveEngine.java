package dev.sluice.benchmarks.load;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.Reactor;
import dev.sluice.reactor.Registration;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;

/** Exchanges on a {@link Reactor}, which all receive into one buffer. */
final class ReactiveEngine implements Engine {

    static final int BUFFER_SIZE = 256 * 1024;

    private final Reactor reactor = Reactor.open();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_SIZE);
    private Throwable failure;

    ReactiveEngine() throws IOException {
    }

    @Override
    public void add(SocketStream stream, Exchange exchange) throws IOException {
        Connection connection = new Connection(stream, exchange);
        connection.registration = reactor.register(stream.handle(), Interest.READ, connection);
        connection.send();
    }

    @Override
    public void dispatch(Duration longest) throws IOException {
        reactor.runOnce(longest);
        if (failure != null) {
            throw new IOException(failure.getMessage(), failure);
        }
    }

    @Override
    public void close() {
        reactor.close();
    }

    private final class Connection implements EventHandler {

        private final SocketStream stream;
        private final Exchange exchange;
        private Registration registration;
        private boolean waitsForSpace;

        Connection(SocketStream stream, Exchange exchange) {
            this.stream = stream;
            this.exchange = exchange;
        }

        @Override
        public void handleInput(Registration registration) throws IOException {
            int received;
            do {
                received = stream.receive(buffer.clear());
                if (received == SocketStream.END_OF_STREAM) {
                    throw new EOFException("the server has closed " + stream);
                }
                exchange.received(buffer.flip());
            } while (received == BUFFER_SIZE);
            send();
        }

        @Override
        public void handleOutput(Registration registration) throws IOException {
            send();
        }

        private void send() throws IOException {
            ByteBuffer unsent = exchange.unsent();
            while (unsent.hasRemaining() || !exchange.isFull()) {
                if (!unsent.hasRemaining()) {
                    exchange.next();
                }
                stream.send(unsent);
                if (unsent.hasRemaining()) {
                    waitForSpace(true);
                    return;
                }
            }
            waitForSpace(false);
        }

        private void waitForSpace(boolean wanted) {
            if (waitsForSpace != wanted) {
                waitsForSpace = wanted;
                registration.interest(wanted ? Interest.READ_WRITE : Interest.READ);
            }
        }

        @Override
        public void handleFailure(Registration registration, Throwable cause) {
            failure = cause;
        }

        @Override
        public void handleClose(Registration registration) {
            // The owner of the handle closes it.
        }
    }
}
