package dev.sluice.benchmarks.load;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.Reactor;
import dev.sluice.reactor.Registration;
import dev.sluice.samples.server.FileProblem;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/** Connections for one errand each: the next is made when one has got its reply and is closed. */
final class ChurnLoad {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration LONGEST_WAIT = Duration.ofMillis(100);
    private static final int LARGE_BUFFER = 256 * 1024;

    private final Load load;
    private final InetSocketAddress server;
    private final SourceAddresses sources = new SourceAddresses();
    private final Measurement measurement;
    private final IntFunction<RequestTask> errands;
    private final ByteBuffer buffer;
    private int made;
    private int open;
    private Throwable failure;

    /**
     * Creates a load.
     *
     * @param load        the load
     * @param measurement what the errands report to
     * @param errands     makes the errand of each connection, by its number, when its time begins
     * @param bufferSize  how much is received at once, in bytes
     */
    private ChurnLoad(Load load, Measurement measurement, IntFunction<RequestTask> errands, int bufferSize) {
        this.load = load;
        this.server = new InetSocketAddress("127.0.0.1", load.port());
        this.measurement = measurement;
        this.errands = errands;
        this.buffer = ByteBuffer.allocateDirect(bufferSize);
    }

    /** {@return connections for one message each} */
    static ChurnLoad ofMessages(Load load) {
        Pattern pattern = new Pattern(load.size());
        Measurement measurement = new Measurement(load.server());
        return new ChurnLoad(load, measurement, number -> {
            Exchange exchange = new Exchange(number, load, pattern, measurement);
            exchange.next();
            return exchange;
            // One byte more than should come.
        }, load.size() + 1);
    }

    /** {@return connections for one file each} */
    static ChurnLoad ofFiles(Load load) {
        Map<Integer, RequestedFile> bySize = new HashMap<>();
        List<RequestedFile> files = load.files().stream()
                .map(size -> bySize.computeIfAbsent(size, RequestedFile::new)).toList();
        Measurement measurement = new Measurement(load.server());
        return new ChurnLoad(load, measurement,
                number -> new FileRequestTask(files.get(number % files.size()), measurement), LARGE_BUFFER);
    }

    /**
     * {@return what was measured; a latency is that of a whole connection}
     *
     * @throws IOException if a byte was wrong, or a connection broken
     */
    LoadResult measure() throws IOException {
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
        long progress = System.nanoTime();
        int left = open;
        while (open > 0) {
            if (open < left) {
                left = open;
                progress = System.nanoTime();
            } else if (System.nanoTime() - progress > TIMEOUT.toNanos()) {
                throw new IOException(open + " connections lack their reply, and none has got one for "
                        + TIMEOUT.toSeconds() + " s");
            }
            dispatch(reactor);
        }
    }

    private void dispatch(Reactor reactor) throws IOException {
        reactor.runOnce(LONGEST_WAIT);
        if (failure != null) {
            throw new IOException(FileProblem.describe(failure), failure);
        }
    }

    private final class Visit implements EventHandler {

        private final Reactor reactor;
        private SocketStream stream;
        private RequestTask errand;
        private boolean connected;

        Visit(Reactor reactor) {
            this.reactor = reactor;
        }

        void begin() throws IOException {
            int number = made++;
            // From here on it counts: what is sent goes with the connection.
            errand = errands.apply(number);
            SocketConnector.Attempt attempt = SocketConnector.initiate(server, sources.next());
            stream = attempt.stream();
            open++;
            connected = attempt.connected();
            if (connected) {
                stream.send(errand.unsent());
            }
            reactor.register(stream.handle(), connected ? Interest.READ : Interest.WRITE, this);
        }

        @Override
        public void handleOutput(Registration registration) throws IOException {
            if (!connected) {
                SocketConnector.complete(stream, server);
                connected = true;
            }
            stream.send(errand.unsent());
            if (!errand.unsent().hasRemaining()) {
                registration.interest(Interest.READ);
            }
        }

        @Override
        public void handleInput(Registration registration) throws IOException {
            if (stream.receive(buffer.clear()) == SocketStream.END_OF_STREAM) {
                errand.ended();
            } else {
                errand.received(buffer.flip());
            }
            if (errand.isComplete()) {
                registration.close();
                open--;
                if (!measurement.isOver()) {
                    new Visit(reactor).begin();
                }
            }
        }

        @Override
        public void handleFailure(Registration registration, Throwable cause) {
            failure = cause;
        }
    }
}
