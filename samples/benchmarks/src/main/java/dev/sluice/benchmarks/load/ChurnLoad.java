package dev.sluice.benchmarks.load;

import dev.sluice.calls.Platform;
import dev.sluice.demultiplexer.EventType;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.Reactor;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Connections for one message each: the next is made when one has got its reply and is closed. */
final class ChurnLoad {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration LONGEST_WAIT = Duration.ofMillis(100);
    /** A port stays taken for a minute after its connection was closed, but only together with its address. */
    private static final int SOURCES = 200;

    private final Load load;
    private final InetSocketAddress server;
    private final List<InetSocketAddress> sources = new ArrayList<>();
    private final Pattern pattern;
    private final Measurement measurement;
    private final ByteBuffer buffer;
    private int made;
    private int open;
    private Throwable failure;

    /**
     * Makes one.
     *
     * @param load what to do
     */
    ChurnLoad(Load load) {
        this.load = load;
        this.server = new InetSocketAddress("127.0.0.1", load.port());
        this.pattern = new Pattern(load.size());
        this.measurement = new Measurement(load.server());
        // One byte more than should come.
        this.buffer = ByteBuffer.allocateDirect(load.size() + 1);
    }

    /**
     * {@return what was measured; a latency is that of a whole connection}
     *
     * @throws IOException if a byte was wrong, or a connection broken
     */
    LoadResult measure() throws IOException {
        // Elsewhere the loopback interface has only its first address.
        if (Platform.CURRENT.os() == Platform.Os.LINUX) {
            for (int i = 0; i < SOURCES; i++) {
                byte[] address = {127, 0, 0, (byte) (i + 2)};
                sources.add(new InetSocketAddress(InetAddress.getByAddress(address), 0));
            }
        }
        try (Reactor reactor = Reactor.open()) {
            for (int i = 0; i < load.connections(); i++) {
                new Visit(reactor).begin();
            }
            run(reactor, load.warmUpMillis());
            measurement.begin();
            run(reactor, load.measuredMillis());
            measurement.end();
            drain(reactor);
        }
        return measurement.result();
    }

    private void run(Reactor reactor, long millis) throws IOException {
        long began = System.nanoTime();
        while (System.nanoTime() - began < millis * 1_000_000) {
            dispatch(reactor);
        }
    }

    private void drain(Reactor reactor) throws IOException {
        long began = System.nanoTime();
        while (open > 0) {
            if (System.nanoTime() - began > PATIENCE.toNanos()) {
                throw new IOException(open + " connections lack their reply, after " + PATIENCE.toSeconds() + " s");
            }
            dispatch(reactor);
        }
    }

    private void dispatch(Reactor reactor) throws IOException {
        reactor.handleEvents(LONGEST_WAIT);
        if (failure != null) {
            throw new IOException(failure.getMessage(), failure);
        }
    }

    private final class Visit implements EventHandler {

        private final Reactor reactor;
        private SocketStream stream;
        private Exchange exchange;
        private boolean connected;

        Visit(Reactor reactor) {
            this.reactor = reactor;
        }

        void begin() throws IOException {
            int number = made++;
            InetSocketAddress source = sources.isEmpty() ? null : sources.get(number % sources.size());
            exchange = new Exchange(number, load, pattern, measurement);
            // From here on it counts: the message goes with the connection.
            exchange.next();
            SocketConnector.Attempt attempt = SocketConnector.initiate(server, source);
            stream = attempt.stream();
            open++;
            connected = attempt.connected();
            if (connected) {
                stream.send(exchange.unsent());
            }
            reactor.registerHandler(this, connected ? EventType.READ : EventType.WRITE);
        }

        @Override
        public Handle handle() {
            return stream.handle();
        }

        @Override
        public void handleOutput(Handle handle) throws IOException {
            if (!connected) {
                SocketConnector.complete(stream, server);
                connected = true;
            }
            stream.send(exchange.unsent());
            if (!exchange.unsent().hasRemaining()) {
                reactor.changeEvents(handle, EventType.READ);
            }
        }

        @Override
        public void handleInput(Handle handle) throws IOException {
            if (stream.receive(buffer.clear()) == SocketStream.END_OF_STREAM) {
                throw new EOFException("the server has closed " + stream + " before it replied");
            }
            exchange.received(buffer.flip());
            if (exchange.isComplete()) {
                reactor.removeHandler(this);
                open--;
                if (!measurement.isOver()) {
                    new Visit(reactor).begin();
                }
            }
        }

        @Override
        public void handleFailure(Handle handle, Throwable cause) {
            failure = cause;
        }
    }
}
