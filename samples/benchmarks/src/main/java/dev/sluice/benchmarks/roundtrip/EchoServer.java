package dev.sluice.benchmarks.roundtrip;

import java.io.Closeable;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;

/** An echo server with a thread of its own, for one client. It is listening when its constructor has returned. */
abstract class EchoServer implements Closeable {

    /** Until the client has come. */
    static final Duration TIMEOUT = Duration.ofSeconds(10);

    /**
     * Size of a receive: larger than any message, so that a receive that does not fill the buffer has got all of it.
     */
    static final int BUFFER_SIZE = 64 * 1024;

    private final Thread thread = new Thread(this::run, "echo server");
    private volatile Exception failure;

    /** {@return the address for the client} */
    abstract SocketAddress address() throws IOException;

    /**
     * Serves the client, until it has closed its connection or {@link #stop()} is called, and closes everything.
     *
     * @throws Exception whatever goes wrong; the connection is closed, so the client notices
     */
    abstract void serve() throws Exception;

    /**
     * Makes {@link #serve()} return, in case that the client's close does not.
     *
     * @throws IOException if it cannot be done
     */
    void stop() throws IOException {
    }

    /** {@return this server, which serves from now on} */
    final EchoServer start() {
        thread.setDaemon(true);
        thread.start();
        return this;
    }

    private void run() {
        try {
            serve();
        } catch (Exception e) {
            failure = e;
        }
    }

    /** Ends it; the client has closed its connection. */
    @Override
    public final void close() throws IOException {
        stop();
        try {
            thread.join(TIMEOUT.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            throw new IOException("the server has not ended");
        }
        if (failure != null) {
            throw new IOException("the server has failed", failure);
        }
    }

    /**
     * Checks that a send has taken everything, which it has, since the socket's buffer was empty.
     *
     * @param left bytes that were not sent
     * @throws IOException if there are any
     */
    static void requireSent(int left) throws IOException {
        if (left > 0) {
            throw new IOException(left + " bytes did not fit into the socket's buffer");
        }
    }
}
