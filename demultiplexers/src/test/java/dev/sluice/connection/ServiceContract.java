package dev.sluice.connection;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.ReactorContract;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Connections of service handlers with peers that the test plays. */
abstract class ServiceContract extends ReactorContract {

    static final InetSocketAddress ANY_PORT = new InetSocketAddress("127.0.0.1", 0);
    static final int MEGABYTE = 1024 * 1024;

    /** After so many iterations in which nothing has moved, nothing will. */
    static final int CALM_ITERATIONS = 10;

    /** Those that have been made for accepted connections, and that the test has not taken yet. */
    final BlockingQueue<RecordedService> services = new LinkedBlockingQueue<>();
    /** The one that will serve the next connection that is accepted. */
    RecordedService prepared = new RecordedService();

    private RecordedService next() {
        RecordedService service = prepared;
        prepared = new RecordedService();
        services.add(service);
        return service;
    }

    final Acceptor listen(ListenOptions options) throws IOException {
        return Acceptor.listen(reactor, ANY_PORT, options, this::next);
    }

    final Acceptor listen() throws IOException {
        return listen(new ListenOptions());
    }

    final SocketStream connect(SocketAddress address) throws IOException {
        return own(SocketConnector.connect(address, LIMIT));
    }

    final SocketStream connect() throws IOException {
        return connect(listen().localAddress());
    }

    /** Waits until another thread has accepted a connection. */
    final RecordedService accepted() throws InterruptedException {
        RecordedService service = services.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
        OtherThread.await(() -> service.calls.contains("open") || service.isClosed());
        return service;
    }

    /** Waits until a loop thread has run the tasks that there are. */
    final void awaitIteration() {
        CountDownLatch run = new CountDownLatch(1);
        reactor.execute(run::countDown);
        OtherThread.await(run);
    }

    static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(US_ASCII));
    }

    static byte[] random(int count) {
        byte[] bytes = new byte[count];
        new Random(count).nextBytes(bytes);
        return bytes;
    }

    static void send(SocketStream stream, String text) throws IOException {
        stream.sendFully(bytes(text), LIMIT);
    }

    static String receive(SocketStream stream, int count) throws IOException {
        ByteBuffer received = ByteBuffer.allocate(count);
        assertTrue(stream.receiveFully(received, LIMIT), () -> "the end after " + received.position() + " bytes");
        return US_ASCII.decode(received.flip()).toString();
    }

    static void assertEnd(SocketStream stream) throws IOException {
        assertFalse(stream.receiveFully(ByteBuffer.allocate(1), LIMIT), "a byte instead of the end");
    }
}
