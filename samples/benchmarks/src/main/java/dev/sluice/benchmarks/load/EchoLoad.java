package dev.sluice.benchmarks.load;

import dev.sluice.handle.NativeSocketOptions;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Connections that stay open: each sends as many messages as it may have in flight, and one more for each reply. */
final class EchoLoad {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration LONGEST_WAIT = Duration.ofMillis(100);
    /** At the least, so that whatever an engine receives at once can be compared in one piece. */
    private static final int LONGEST_PIECE = 256 * 1024;

    private final Load load;
    private final InetSocketAddress address;

    /**
     * Creates a load.
     *
     * @param load the load
     */
    EchoLoad(Load load) {
        this.load = load;
        this.address = new InetSocketAddress("127.0.0.1", load.port());
    }

    /**
     * {@return what was measured}
     *
     * @throws IOException if a byte was wrong, a message lost, or a connection broken
     */
    LoadResult measure() throws IOException {
        List<SocketStream> streams = new ArrayList<>(load.idle() + load.connections());
        try {
            // The idle ones first, so that the busy ones are not the server's oldest.
            for (int i = 0; i < load.idle() + load.connections(); i++) {
                SocketStream stream = SocketConnector.connect(address, TIMEOUT);
                streams.add(stream);
                stream.setOption(NativeSocketOptions.TCP_NODELAY, true);
            }
            LoadResult result = exchange(streams.subList(load.idle(), streams.size()));
            endInOrder(streams);
            return result;
        } finally {
            streams.forEach(SocketStream::close);
        }
    }

    private LoadResult exchange(List<SocketStream> busy) throws IOException {
        Pattern pattern = new Pattern(Math.max(LONGEST_PIECE, load.size() * load.depth()));
        Measurement measurement = new Measurement(load.server());
        List<Exchange> exchanges = new ArrayList<>();
        try (Engine engine = Engine.open(load)) {
            for (int i = 0; i < busy.size(); i++) {
                Exchange exchange = new Exchange(i, load, pattern, measurement);
                exchanges.add(exchange);
                engine.add(busy.get(i), exchange);
            }
            run(engine, load.warmUpMillis());
            measurement.begin();
            run(engine, load.measuredMillis());
            measurement.end();
            drain(engine, exchanges);
        }
        return measurement.result();
    }

    private static void run(Engine engine, long millis) throws IOException {
        long began = System.nanoTime();
        while (System.nanoTime() - began < millis * 1_000_000) {
            engine.dispatch(LONGEST_WAIT);
        }
    }

    private static void drain(Engine engine, List<Exchange> exchanges) throws IOException {
        long began = System.nanoTime();
        while (!exchanges.stream().allMatch(Exchange::isComplete)) {
            if (System.nanoTime() - began > TIMEOUT.toNanos()) {
                throw new IOException(exchanges.stream().filter(exchange -> !exchange.isComplete()).count()
                        + " connections lack replies, after " + TIMEOUT.toSeconds() + " s");
            }
            engine.dispatch(LONGEST_WAIT);
        }
    }

    /** Waits until the server has closed every connection, or its work for that would disturb the next measurement. */
    private static void endInOrder(List<SocketStream> streams) throws IOException {
        for (SocketStream stream : streams) {
            stream.shutdownOutput();
        }
        ByteBuffer rest = ByteBuffer.allocateDirect(1);
        for (SocketStream stream : streams) {
            if (stream.receiveFully(rest, TIMEOUT)) {
                throw new IOException(stream + " got more than it had sent");
            }
        }
    }
}
