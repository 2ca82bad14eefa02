package dev.sluice.stages.io;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.handle.ErrorScope;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketStream;
import dev.sluice.handle.SystemCallException;
import dev.sluice.proactor.AsyncAcceptor;
import dev.sluice.stages.EventQueue;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The paper's asyncServerSocket: puts each accepted connection, an {@link AsyncConnection}, into an application's
 * queue. While the queue is full, or the maximum number of connections is open, further connections wait in the system.
 * Its last event is a {@link ServerSocketClosed}. May be used by any thread.
 */
public final class AsyncServerSocket implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AsyncServerSocket.class);
    /** Time to wait if the system has no more descriptors, or forbids accepting. */
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final EventQueue<? super SocketEvent> target;
    private final SocketAcceptor acceptor;
    private final Listening request;

    /**
     * Begins to listen immediately. Connections are accepted once the graph has been started.
     *
     * @param sockets the stages
     * @param address to listen on; with port 0 the system chooses one
     * @param target the queue for the connections
     * @throws IOException           if the system refuses the address
     * @throws IllegalStateException if there are {@link SocketStages#MAX_LISTENERS} listening sockets
     */
    @SuppressWarnings("this-escape") // Fully constructed when it is counted.
    public AsyncServerSocket(SocketStages sockets, SocketAddress address, EventQueue<? super SocketEvent> target)
            throws IOException {
        this.target = Objects.requireNonNull(target, "target");
        acceptor = SocketAcceptor.unbound(address);
        try {
            int receiveBuffer = sockets.options.receiveBuffer;
            if (receiveBuffer != 0) {
                // Connections inherit it. Set on each of them, it would be too late for bytes that have arrived
                // already.
                acceptor.setOption(StandardSocketOptions.SO_RCVBUF, receiveBuffer);
            }
            acceptor.bind(address, SocketAcceptor.DEFAULT_BACKLOG);
            request = new Listening(sockets);
            if (!sockets.takeListener(this)) {
                throw new IllegalStateException("cannot listen on " + address + ": there are "
                        + SocketStages.MAX_LISTENERS + " listening sockets, which is the maximum");
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

    /** The request that the listen stage serves. */
    private final class Listening extends ConnectionSource {

        private final AsyncAcceptor async;
        private State state = State.IDLE;
        /** Whether this may be among the requests that wait for a slot. */
        private boolean awaitsSlot;
        /** Whether the pause has been logged; reset when a connection is accepted. */
        private boolean shortageLogged;

        Listening(SocketStages sockets) throws IOException {
            super(sockets, sockets.listening, target);
            async = new AsyncAcceptor(sockets.proactor, acceptor, this);
        }

        @Override
        public void handleCompletion(Completion completion) {
            setResult(completion.stream(), completion.error());
        }

        @Override
        void serve() {
            Result result = takeResult();
            if (result != null) {
                State before = state;
                state = State.IDLE;
                if (before == State.ACCEPTING) {
                    take(result);
                }
            }
            if (!deliverPending()) {
                return;
            }
            if (state == State.ENDED) {
                releasePlace();
            } else if (state == State.IDLE) {
                next();
            }
        }

        private void take(Result result) {
            if (result.stream() != null) {
                shortageLogged = false;
                accepted(result.stream());
            } else {
                giveSlotBack();
                if (acceptor.handle().isOpen()) {
                    failed(result.error());
                }
            }
        }

        private void accepted(SocketStream stream) {
            try {
                connect(stream);
            } catch (IOException | RuntimeException | Error e) {
                giveSlotBack();
                LOG.warn("cannot use an accepted connection, which is closed: {}", e.toString());
            }
        }

        private void failed(@Nullable IOException error) {
            if (!(error instanceof SystemCallException call)
                    || ErrorScope.ofAccept(call) == ErrorScope.SOCKET) {
                end(error);
                return;
            }
            if (!shortageLogged) {
                shortageLogged = true;
                LOG.warn("accepting is paused, out of descriptors or memory: {}", error.getMessage());
            }
            sockets.proactor.schedule(token -> setResult(null, null), null, PAUSE);
            state = State.PAUSED;
        }

        private void next() {
            if (!acceptor.handle().isOpen()) {
                end(null);
            } else if (takeSlot()) {
                accept();
                awaitSlotNoLonger();
            } else {
                awaitsSlot = true;
                sockets.awaitSlot(this);
            }
        }

        /** Prevents this from being signalled for a further slot, for which another listener may be waiting. */
        private void awaitSlotNoLonger() {
            if (awaitsSlot) {
                sockets.awaitNoSlot(this);
                awaitsSlot = false;
            }
        }

        private void accept() {
            state = State.ACCEPTING;
            try {
                async.accept(null);
            } catch (RuntimeException | Error e) {
                // No completion follows.
                state = State.IDLE;
                giveSlotBack();
                throw e;
            }
        }

        private void end(@Nullable IOException cause) {
            state = State.ENDED;
            acceptor.close();
            sockets.awaitNoSlot(this);
            setPending(new ServerSocketClosed(AsyncServerSocket.this, cause));
            deliverPending();
        }

        @Override
        void releasePlace() {
            if (retire()) {
                sockets.ended(AsyncServerSocket.this);
            }
        }

        /** Called if the application's queue throws: the same connection is not offered again, but the next one is. */
        @Override
        void fail(Throwable cause) {
            if (dropPending()) {
                signal();
            } else if (state == State.IDLE) {
                end(new IOException(this + " has failed", cause));
            }
        }

        @Override
        void abandon() {
            acceptor.close();
            sockets.ended(AsyncServerSocket.this);
            super.abandon();
        }

        @Override
        public String toString() {
            return AsyncServerSocket.this.toString();
        }
    }

    /** The state of a listening socket. */
    private enum State {

        /** The next connection can be accepted if there is a slot for it. */
        IDLE,

        /** An operation is in flight, or its result has not been taken. */
        ACCEPTING,

        /** The system lacks descriptors; a timer is running. */
        PAUSED,

        /** The socket is closed; the event that reports this is pending or has been delivered. */
        ENDED
    }
}
