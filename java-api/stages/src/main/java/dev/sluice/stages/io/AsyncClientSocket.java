package dev.sluice.stages.io;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.stages.EventQueue;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Objects;

/**
 * The paper's asyncClientSocket: establishes one connection, and puts an {@link AsyncConnection} or a {@link
 * ConnectFailed} into an application's queue. If the graph is stopped before, there is no result.
 */
public final class AsyncClientSocket {

    private final SocketAddress address;

    /**
     * Begins to connect, once the graph has been started.
     *
     * @param sockets the stages
     * @param address the address of the peer
     * @param timeout the maximum time to wait
     * @param target the queue for the result
     * @throws IOException              if the maximum number of connections is open
     * @throws IllegalArgumentException if the timeout is negative
     */
    @SuppressWarnings("this-escape") // Fully constructed before it is signalled.
    public AsyncClientSocket(SocketStages sockets, SocketAddress address, Duration timeout,
                             EventQueue<? super SocketEvent> target) throws IOException {
        this.address = Objects.requireNonNull(address, "address");
        Objects.requireNonNull(target, "target");
        if (timeout.isNegative()) {
            throw new IllegalArgumentException("timeout: " + timeout + " is negative");
        }
        Connecting request = new Connecting(sockets, timeout, target);
        if (!request.takeSlot()) {
            throw new IOException("cannot connect to " + address + ": " + sockets.connections()
                    + " connections are open, which is the maximum; raise SocketOptions.connections");
        }
        request.signal();
    }

    /** {@return the address of the peer} */
    public SocketAddress address() {
        return address;
    }

    /** {@return for example {@code client socket for 127.0.0.1:80}} */
    @Override
    public String toString() {
        return "client socket for " + address;
    }

    /** The request that the write stage serves, as in the paper. */
    private final class Connecting extends ConnectionSource {

        private final Duration timeout;
        private boolean begun;

        Connecting(SocketStages sockets, Duration timeout, EventQueue<? super SocketEvent> target) {
            super(sockets, sockets.writing, target);
            this.timeout = timeout;
        }

        @Override
        public void handleCompletion(Completion completion) {
            setResult(completion.stream(), completion.error());
        }

        @Override
        void serve() {
            if (!begun) {
                begun = true;
                begin();
            }
            Result result = takeResult();
            if (result != null) {
                take(result);
            }
            // So even if many connections fail, no more results wait for space than there are slots.
            deliverPending();
        }

        private void begin() {
            try {
                sockets.proactor.connect(this, null, address, timeout);
            } catch (IOException e) {
                setResult(null, e);
            }
        }

        private void take(Result result) {
            IOException cause = result.error();
            if (result.stream() != null) {
                try {
                    connect(result.stream());
                    return;
                } catch (IOException | RuntimeException | Error e) {
                    cause = new IOException("cannot connect to " + address, e);
                }
            }
            if (cause != null) {
                setPending(new ConnectFailed(AsyncClientSocket.this, cause));
            }
        }

        @Override
        void releasePlace() {
            giveSlotBack();
        }

        /** Called if the application's queue throws: the same event is not offered again. */
        @Override
        void fail(Throwable cause) {
            if (!dropPending()) {
                setResult(null, new IOException("cannot connect to " + address, cause));
            }
        }

        @Override
        public String toString() {
            return AsyncClientSocket.this.toString();
        }
    }
}
