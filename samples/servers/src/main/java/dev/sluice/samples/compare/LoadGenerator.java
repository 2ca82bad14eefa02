package dev.sluice.samples.compare;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.handle.NativeSocketOptions;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.Reactor;
import dev.sluice.reactor.Registration;
import dev.sluice.samples.compare.protocol.Frames;
import dev.sluice.samples.server.FileProblem;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** Clients on one thread. Each has a connection, sends a request, waits for the response, and sends the next one. */
final class LoadGenerator implements Closeable {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final Reactor reactor;
    private final List<Client> clients = new ArrayList<>();
    private final ByteBuffer request = ByteBuffer.allocateDirect(Frames.HEADER + BusyWork.CONTENT);
    private Histogram latencies;
    private long end;
    private int underWay;
    private Throwable failure;

    /** Connects. */
    LoadGenerator(SocketAddress address, int connections) throws IOException {
        reactor = Reactor.open();
        try {
            for (int i = 0; i < connections; i++) {
                SocketStream stream = SocketConnector.connect(address, TIMEOUT);
                clients.add(new Client(stream));
                stream.setOption(NativeSocketOptions.TCP_NODELAY, true);
            }
            for (Client client : clients) {
                reactor.register(client.stream.handle(), Interest.READ, client);
            }
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    /**
     * Keeps all connections busy, and returns when the last response is there.
     *
     * @param units    what each request asks for
     * @param duration in which requests are sent; if zero, each client sends one
     * @param into     takes the latencies, in nanoseconds
     * @return how long it took, in nanoseconds
     */
    long run(int units, Duration duration, Histogram into) throws IOException {
        request.putInt(0, BusyWork.CONTENT).putInt(Frames.HEADER, units);
        latencies = into;
        long begin = System.nanoTime();
        end = begin + duration.toNanos();
        for (Client client : clients) {
            client.send();
        }
        while (underWay > 0) {
            if (reactor.runOnce(TIMEOUT) == 0) {
                throw new SocketTimeoutException(underWay + " responses are missing after " + TIMEOUT);
            }
            if (failure != null) {
                throw new IOException(FileProblem.describe(failure), failure);
            }
        }
        return System.nanoTime() - begin;
    }

    @Override
    public void close() {
        reactor.close();
        clients.forEach(client -> client.stream.close());
    }

    private final class Client implements EventHandler {

        private final SocketStream stream;
        private final ByteBuffer response = ByteBuffer.allocateDirect(Frames.HEADER + BusyWork.CONTENT);
        private long sentAt;

        Client(SocketStream stream) {
            this.stream = stream;
        }

        void send() throws IOException {
            underWay++;
            response.clear();
            sentAt = System.nanoTime();
            stream.sendFully(request.rewind(), TIMEOUT);
        }

        @Override
        public void handleInput(Registration registration) throws IOException {
            if (stream.receive(response) == SocketStream.END_OF_STREAM) {
                throw new EOFException("the server has ended a connection");
            }
            if (!response.hasRemaining()) {
                long now = System.nanoTime();
                latencies.recordValue(now - sentAt);
                underWay--;
                if (now < end) {
                    send();
                }
            }
        }

        @Override
        public void handleFailure(Registration registration, Throwable cause) {
            failure = cause;
        }
    }
}
