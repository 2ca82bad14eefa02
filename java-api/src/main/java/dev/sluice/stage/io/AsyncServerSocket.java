package dev.sluice.stage.io;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.handle.ErrorScope;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketStream;
import dev.sluice.handle.SystemCallException;
import dev.sluice.proactor.AsyncAcceptor;
import dev.sluice.proactor.CompletionHandler;
import dev.sluice.stage.EventQueue;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The paper's asyncServerSocket: each connection that it accepts is put, as an {@link AsyncConnection}, into an
 * application's queue. While there is no room for one, or as many connections are open as there may be, others wait in
 * the system. It ends with a {@link ListenEnded}. May be used by any thread.
 */
public final class AsyncServerSocket implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AsyncServerSocket.class);
    /** How long to wait if the system has no more descriptors, or forbids to accept. */
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final EventQueue<? super SocketEvent> target;
    private final SocketAcceptor acceptor;
    private final Listening request;

    /**
     * Begins to listen at once. Connections are accepted once the graph has been started.
     *
     * @param sockets the stages
     * @param address to listen on; with port 0 the system chooses one
     * @param target  for the connections
     * @throws IOException           if the system refuses the address
     * @throws IllegalStateException if there are {@link SocketStages#MOST_LISTENING} of these
     */
    @SuppressWarnings("this-escape") // It is complete when it is counted.
    public AsyncServerSocket(SocketStages sockets, SocketAddress address, EventQueue<? super SocketEvent> target)
            throws IOException {
        this.target = Objects.requireNonNull(target, "target");
        acceptor = SocketAcceptor.unbound(address);
        try {
            int receiveBuffer = sockets.options().receiveBuffer();
            if (receiveBuffer != 0) {
                // Connections inherit it. Set on each of them, it would come too late for what has arrived already.
                acceptor.setOption(StandardSocketOptions.SO_RCVBUF, receiveBuffer);
            }
            acceptor.bind(address, SocketAcceptor.DEFAULT_BACKLOG);
            request = new Listening(sockets);
            if (!sockets.takeListener(this)) {
                throw new IllegalStateException("cannot listen on " + address + ": there are "
                        + SocketStages.MOST_LISTENING + " listening sockets, the most there may be");
            }
        } catch (Throwable e) {
            acceptor.close();
            throw e;
        }
        request.signal();
    }

    /**
     * {@return the address that it listens on}
     *
     * @throws IOException if it is closed
     */
    public SocketAddress localAddress() throws IOException {
        return acceptor.localAddress();
    }

    /** Stops listening. Connections that have been accepted stay open. */
    @Override
    public void close() {
        acceptor.close();
        request.signal();
    }

    /** {@return for example {@code listening on 127.0.0.1:80}} */
    @Override
    public String toString() {
        return "server socket on " + acceptor;
    }

    /** What the listen stage does for it. */
    private final class Listening extends SocketRequest implements CompletionHandler {

        private final AsyncAcceptor async;
        /** Whether an operation is in flight, or its result is there. */
        private boolean accepting;
        /** Whether a slot has been taken for a connection that is not there yet. */
        private final AtomicBoolean slotTaken = new AtomicBoolean();
        /** What the operation has brought. */
        private final AtomicReference<Accepted> accepted = new AtomicReference<>();
        /** What has to be told next. */
        private SocketEvent held;
        private boolean starved;
        private boolean ended;

        Listening(SocketStages sockets) throws IOException {
            super(sockets);
            async = new AsyncAcceptor(sockets.proactor(), acceptor, this);
        }

        @Override
        EventQueue<SocketRequest> queue() {
            return sockets().listening().queue();
        }

        @Override
        public void handleAccept(Completion completion) {
            accepted.set(new Accepted(completion.stream(), completion.error()));
            signal();
        }

        @Override
        void serve() {
            Accepted result = accepted.getAndSet(null);
            if (result != null) {
                accepting = false;
                take(result);
            }
            if (held != null && !tell()) {
                return;
            }
            if (ended) {
                leave();
            } else if (!accepting) {
                next();
            }
        }

        /** {@return whether there is nothing to be told of any more} */
        private boolean tell() {
            if (!(ended ? deliverLast(target, held, this::leave) : deliver(target, held))) {
                return false;
            }
            held = null;
            return true;
        }

        private void leave() {
            if (retire()) {
                sockets().ended(AsyncServerSocket.this);
            }
        }

        private void take(Accepted result) {
            if (result == Accepted.NOTHING) {
                return;
            }
            if (result.stream() != null) {
                starved = false;
                held = connection(result.stream());
                return;
            }
            giveSlotBack();
            if (!acceptor.handle().isOpen()) {
                return;
            }
            if (result.error() instanceof SystemCallException failed
                    && ErrorScope.ofAccept(failed.error()) != ErrorScope.SOCKET) {
                if (!starved) {
                    starved = true;
                    LOG.warn("connections must wait: {}", failed.getMessage());
                }
                sockets().proactor().schedule(token -> {
                    accepted.set(Accepted.NOTHING);
                    signal();
                }, null, PAUSE);
                accepting = true;
            } else {
                end(result.error());
            }
        }

        private SocketEvent connection(SocketStream stream) {
            try {
                AsyncConnection connection = new AsyncConnection(sockets(), stream, target);
                slotTaken.set(false);
                return connection;
            } catch (IOException | RuntimeException | Error e) {
                stream.close();
                giveSlotBack();
                LOG.warn("a connection is lost: {}", e.toString());
                return null;
            }
        }

        private void next() {
            if (!acceptor.handle().isOpen()) {
                end(null);
            } else if (!sockets().takeSlot()) {
                sockets().awaitSlot(this);
            } else {
                accept();
            }
        }

        private void accept() {
            slotTaken.set(true);
            accepting = true;
            try {
                async.accept(null);
            } catch (RuntimeException | Error e) {
                // Nobody will say that it is over.
                accepting = false;
                giveSlotBack();
                throw e;
            }
        }

        private void giveSlotBack() {
            if (slotTaken.getAndSet(false)) {
                sockets().giveSlotBack();
            }
        }

        private void end(IOException cause) {
            ended = true;
            acceptor.close();
            sockets().awaitNoSlot(this);
            held = new ListenEnded(AsyncServerSocket.this, cause);
            tell();
        }

        /** An application's queue that throws is not offered the same again, but the next connection. */
        @Override
        void fail(Throwable cause) {
            if (held != null) {
                drop(held);
                held = null;
                signal();
            } else if (!ended && !accepting) {
                end(new IOException(this + " has failed", cause));
            }
        }

        @Override
        void abandon() {
            acceptor.close();
            sockets().ended(AsyncServerSocket.this);
            giveSlotBack();
            if (held != null) {
                drop(held);
                held = null;
            }
            Accepted result = accepted.getAndSet(null);
            if (result != null && result.stream() != null) {
                result.stream().close();
            }
        }

        @Override
        public String toString() {
            return AsyncServerSocket.this.toString();
        }
    }

    /** What an operation has brought: one of both, or nothing but the time to try again. */
    private record Accepted(SocketStream stream, IOException error) {

        static final Accepted NOTHING = new Accepted(null, null);
    }
}
