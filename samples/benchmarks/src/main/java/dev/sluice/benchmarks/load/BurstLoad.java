package dev.sluice.benchmarks.load;

import dev.sluice.handle.NativeSocketOptions;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.Reactor;
import dev.sluice.samples.server.FileProblem;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Connections that stay open, on which bursts of packets are sent. */
final class BurstLoad {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Duration LONGEST_WAIT = Duration.ofMillis(100);
    /**
     * Of all connections together: what fits into buffers counts as sent, though the server has not got it. So it has
     * to be little beside what is sent while it is measured.
     */
    private static final int SEND_BUFFERS = 64 * 1024 * 1024;
    private static final int MIN_SEND_BUFFER = 16 * 1024;
    /** With less, few connections would wait for the acknowledgements of TCP, which the system delays. */
    private static final int ENOUGH = 512 * 1024;

    private final Load load;
    private final InetSocketAddress address;

    /**
     * Creates a load.
     *
     * @param load the load
     */
    BurstLoad(Load load) {
        this.load = load;
        this.address = new InetSocketAddress("127.0.0.1", load.port());
    }

    /**
     * {@return what was measured: its bytes are those that were sent, its messages the bursts}
     *
     * @throws IOException if the server got something else than what was sent, or a connection broke
     */
    LoadResult measure() throws IOException {
        List<SocketStream> streams = new ArrayList<>(load.connections());
        try (Reactor reactor = Reactor.open()) {
            Pattern pattern = new Pattern(load.size());
            Measurement measurement = new Measurement(load.server());
            List<BurstConnection> connections = new ArrayList<>(load.connections());
            int sendBuffer = sendBuffer(load.connections());
            for (int i = 0; i < load.connections(); i++) {
                SocketStream stream = SocketConnector.connect(address, TIMEOUT);
                streams.add(stream);
                if (sendBuffer < ENOUGH) {
                    stream.setOption(NativeSocketOptions.SO_SNDBUF, sendBuffer);
                }
            }
            for (SocketStream stream : streams) {
                connections.add(new BurstConnection(connections.size(), stream, reactor, load, pattern, measurement));
            }
            run(reactor, load.warmUpMillis(), connections);
            measurement.begin();
            run(reactor, load.measuredMillis(), connections);
            measurement.end();
            for (BurstConnection connection : connections) {
                connection.end();
            }
            awaitAcknowledgements(reactor, connections);
            return measurement.result();
        } finally {
            streams.forEach(SocketStream::close);
        }
    }

    /** {@return the bytes for each of so many, where the system is not to choose} */
    static int sendBuffer(int connections) {
        return Math.max(MIN_SEND_BUFFER, SEND_BUFFERS / connections);
    }

    private static void run(Reactor reactor, long millis, List<BurstConnection> connections) throws IOException {
        long began = System.nanoTime();
        while (System.nanoTime() - began < millis * 1_000_000) {
            reactor.runOnce(LONGEST_WAIT);
        }
        requireNoFailure(connections);
    }

    private static void awaitAcknowledgements(Reactor reactor, List<BurstConnection> connections) throws IOException {
        long began = System.nanoTime();
        while (!connections.stream().allMatch(BurstConnection::isOver)) {
            requireNoFailure(connections);
            if (System.nanoTime() - began > TIMEOUT.toNanos()) {
                throw new IOException(connections.stream().filter(each -> !each.isOver()).count()
                        + " connections lack acknowledgements, after " + TIMEOUT.toSeconds() + " s");
            }
            reactor.runOnce(LONGEST_WAIT);
        }
        requireNoFailure(connections);
    }

    private static void requireNoFailure(List<BurstConnection> connections) throws IOException {
        for (BurstConnection connection : connections) {
            if (connection.failure() != null) {
                throw new IOException(FileProblem.describe(connection.failure()), connection.failure());
            }
        }
    }
}
