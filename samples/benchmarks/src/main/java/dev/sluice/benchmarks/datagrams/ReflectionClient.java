package dev.sluice.benchmarks.datagrams;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.handle.DatagramBatch;
import dev.sluice.handle.DatagramSendBatch;
import dev.sluice.handle.SocketDatagram;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.Reactor;
import dev.sluice.reactor.Registration;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Sends small bursts of datagrams, each with one call, and waits until all of one have come back before the next. */
final class ReflectionClient implements Runnable {

    /** Number of datagrams in a burst: few enough to find room in any socket. */
    static final int BURST = 64;

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final int port;
    private final int size;
    private final boolean joined;
    private final Duration time;
    private long count;
    private double seconds;
    private Exception failure;
    private volatile boolean over;

    /**
     * Creates a client.
     *
     * @param port   where the datagrams are sent back, on the loopback address
     * @param size   of a datagram
     * @param joined whether to send and receive them joined, as far as the system does
     * @param time   how long to go on at least
     */
    ReflectionClient(int port, int size, boolean joined, Duration time) {
        this.port = port;
        this.size = size;
        this.joined = joined;
        this.time = time;
    }

    @Override
    public void run() {
        try (SocketDatagram socket = SocketDatagram.unbound(StandardProtocolFamily.INET);
                Reactor reactor = Reactor.open();
                DatagramSendBatch requests = new DatagramSendBatch(socket, BURST, size);
                Answers answers = new Answers(socket, size, joined)) {
            requests.useSegmentation(joined);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            reactor.register(socket.handle(), Interest.READ, answers);
            ByteBuffer datagram = ByteBuffer.allocateDirect(size).order(ByteOrder.nativeOrder());
            long began = System.nanoTime();
            long passed;
            do {
                for (int number = 0; number < BURST; number++) {
                    requests.add(datagram.clear().putLong(0, number)
                            .putLong(size - Long.BYTES, Burst.mixed(number)));
                }
                if (requests.send() < BURST) {
                    throw new IOException("the socket has no space for " + requests.count() + " of " + BURST);
                }
                answers.await(reactor);
                count += BURST;
                passed = System.nanoTime() - began;
            } while (passed < time.toNanos());
            seconds = (double) passed / TimeUnit.SECONDS.toNanos(1);
        } catch (IOException | RuntimeException e) {
            failure = e;
        } finally {
            over = true;
        }
    }

    /** {@return whether no more datagrams will be sent} */
    boolean isOver() {
        return over;
    }

    /** {@return the number of datagrams that have come back; to be asked once it is over} */
    long count() throws IOException {
        if (failure != null) {
            throw new IOException("the client failed", failure);
        }
        return count;
    }

    /** {@return how many seconds that took; to be asked once it is over} */
    double seconds() {
        return seconds;
    }

    /** Receives the datagrams sent back. */
    private static final class Answers implements EventHandler, AutoCloseable {

        private final SocketDatagram socket;
        private final DatagramBatch batch;
        private final Arrivals arrivals;
        private Throwable failure;

        Answers(SocketDatagram socket, int size, boolean joined) throws IOException {
            this.socket = socket;
            this.batch = joined ? DatagramBatch.coalesced(socket, BURST) : new DatagramBatch(socket, BURST, size);
            this.arrivals = new Arrivals(size);
        }

        /** Waits for all of a burst. */
        void await(Reactor reactor) throws IOException {
            for (arrivals.begin(); arrivals.count() < BURST;) {
                if (reactor.runOnce(TIMEOUT) == 0) {
                    throw new IOException("only " + arrivals.count() + " of " + BURST + " have come back");
                }
                if (failure != null) {
                    throw new IOException(failure);
                }
            }
        }

        @Override
        public void handleInput(Registration registration) throws IOException {
            int received = batch.receive();
            for (int i = 0; i < received; i++) {
                arrivals.take(batch.datagram(i).order(ByteOrder.nativeOrder()));
            }
        }

        @Override
        public void handleFailure(Registration registration, Throwable cause) {
            failure = cause;
        }

        @Override
        public void close() {
            batch.close();
        }
    }
}
