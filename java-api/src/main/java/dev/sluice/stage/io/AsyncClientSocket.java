package dev.sluice.stage.io;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.handle.SocketStream;
import dev.sluice.proactor.CompletionHandler;
import dev.sluice.stage.EventQueue;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The paper's asyncClientSocket: makes one connection, and puts it, as an {@link AsyncConnection}, or a
 * {@link ConnectFailed}, into an application's queue. If the graph is stopped before, there is no result.
 */
public final class AsyncClientSocket {

    private final SocketAddress address;

    /**
     * Begins to connect, once the graph has been started.
     *
     * @param sockets the stages
     * @param address of the peer
     * @param timeout the longest to wait
     * @param target  for the result
     * @throws IOException              if as many connections are open as there may be
     * @throws IllegalArgumentException if the timeout is negative
     */
    @SuppressWarnings("this-escape") // It is complete before it is signalled.
    public AsyncClientSocket(SocketStages sockets, SocketAddress address, Duration timeout,
                             EventQueue<? super SocketEvent> target) throws IOException {
        this.address = Objects.requireNonNull(address, "address");
        Objects.requireNonNull(target, "target");
        if (timeout.isNegative()) {
            throw new IllegalArgumentException("timeout: " + timeout + " is negative");
        }
        if (!sockets.takeSlot()) {
            throw new IOException("cannot connect to " + address + ": " + sockets.connections()
                    + " connections are open, the most there may be; raise SocketOptions.connections");
        }
        new Connecting(sockets, timeout, target).signal();
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

    /** What the write stage does for it, as in the paper. */
    private final class Connecting extends SocketRequest implements CompletionHandler {

        private final Duration timeout;
        private final EventQueue<? super SocketEvent> target;
        private boolean begun;
        /** Whether the slot is for a connection that is not there yet. */
        private final AtomicBoolean slotTaken = new AtomicBoolean(true);
        /** What the attempt has brought, until it is taken. */
        private final AtomicReference<SocketStream> stream = new AtomicReference<>();
        private final AtomicReference<IOException> error = new AtomicReference<>();
        /** What has to be told. */
        private SocketEvent held;

        Connecting(SocketStages sockets, Duration timeout, EventQueue<? super SocketEvent> target) {
            super(sockets);
            this.timeout = timeout;
            this.target = target;
        }

        @Override
        EventQueue<SocketRequest> queue() {
            return sockets().writing().queue();
        }

        @Override
        public void handleConnect(Completion completion) {
            error.set(completion.error());
            stream.set(completion.stream());
            signal();
        }

        @Override
        void serve() {
            if (!begun) {
                begun = true;
                begin();
            }
            if (held == null) {
                take();
            }
            // However many connections cannot be made, no more than there are slots wait for room.
            if (held != null && (held instanceof ConnectFailed ? deliverLast(target, held, this::giveSlotBack)
                    : deliver(target, held))) {
                held = null;
            }
        }

        private void begin() {
            try {
                sockets().connector().connect(this, address, timeout, null);
            } catch (IOException e) {
                error.set(e);
            }
        }

        private void take() {
            SocketStream made = stream.getAndSet(null);
            IOException cause = error.getAndSet(null);
            if (made != null) {
                try {
                    held = new AsyncConnection(sockets(), made, target);
                    slotTaken.set(false);
                    return;
                } catch (IOException | RuntimeException | Error e) {
                    made.close();
                    cause = new IOException("cannot connect to " + address, e);
                }
            }
            if (cause != null) {
                held = new ConnectFailed(AsyncClientSocket.this, cause);
            }
        }

        private void giveSlotBack() {
            if (slotTaken.getAndSet(false)) {
                sockets().giveSlotBack();
            }
        }

        /** An application's queue that throws is not offered the same again. */
        @Override
        void fail(Throwable cause) {
            if (held != null) {
                drop(held);
                held = null;
                giveSlotBack();
            } else {
                error.set(new IOException("cannot connect to " + address, cause));
                signal();
            }
        }

        @Override
        void abandon() {
            giveSlotBack();
            if (held != null) {
                drop(held);
                held = null;
            }
            SocketStream made = stream.getAndSet(null);
            if (made != null) {
                made.close();
            }
        }

        @Override
        public String toString() {
            return AsyncClientSocket.this.toString();
        }
    }
}
