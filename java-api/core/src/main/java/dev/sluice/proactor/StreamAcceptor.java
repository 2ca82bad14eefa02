package dev.sluice.proactor;

import dev.sluice.connection.Connections;
import dev.sluice.connection.ListenOptions;
import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.dispatch.Targets;
import dev.sluice.eventloop.spi.AcceptorMember;
import dev.sluice.failure.MemoryShortage;
import dev.sluice.handle.ErrorScope;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketStream;
import dev.sluice.handle.SystemCallException;
import dev.sluice.handle.spi.CloseListener;
import dev.sluice.handle.spi.Descriptors;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts connections by itself, and hands each to a new handler on one of its loops. Pauses while there are no
 * descriptors or no memory, and at the limit of its registry. Used by the thread that calls its hooks, except where it
 * says otherwise.
 */
final class StreamAcceptor extends AcceptorMember implements CompletionHandler, CloseListener, Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(StreamAcceptor.class);
    /** Between attempts to accept, while descriptors or memory are lacking. */
    private static final Duration PAUSE = Duration.ofMillis(100);
    /** Connections accepted in a row, within a limit, before other hooks get their turn. */
    private static final int FAIR_SHARE = 64;

    private final Proactor proactor;
    private final @Nullable HookOrder order;
    private final AsyncAcceptor acceptor;
    private final ListenOptions options;
    private final Connections connections;
    private final Targets<Proactor> targets;
    private final Service service;
    /** Accepted before the limit was set, and beyond it. */
    private final ArrayDeque<SocketStream> waiting = new ArrayDeque<>();
    /** Null if clients wait while there is no place. */
    private final @Nullable Consumer<? super SocketStream> refusal;
    private long ticket;
    /** Whether the operation is in flight that accepts, or that waits for a client. */
    private boolean accepting;
    /** Whether it is the one that waits. */
    private boolean polling;
    private boolean starved;
    private boolean pausedByShortage;
    private volatile boolean closing;
    private boolean ended;

    /** Begins on an accepted connection, for which a place is reserved. */
    @FunctionalInterface
    interface Service {

        /** Begins, by a thread of the loop. If it throws, the place is still reserved. */
        void begin(StreamAcceptor acceptor, Proactor loop, SocketStream stream) throws IOException;

        /** {@return gives each connection a handler} */
        static Service ofHandlers(Supplier<? extends StreamHandler> factory) {
            Objects.requireNonNull(factory, "factory");
            return (acceptor, loop, stream) -> {
                StreamHandler handler = factory.get();
                if (handler == null) {
                    throw new IllegalStateException("listen: the factory has returned null instead of a handler: "
                            + acceptor.acceptor);
                }
                AsyncStream.serve(loop, stream, acceptor.connections, handler);
            };
        }

        /** {@return starts single operations; a connection has its place until its socket is closed} */
        static Service ofOperations(Consumer<? super AsyncStream> starter) {
            Objects.requireNonNull(starter, "starter");
            return (acceptor, loop, stream) -> {
                AsyncStream operated = new AsyncStream(loop, stream);
                Descriptors.of(stream.handle()).addCloseListener(
                        closing -> acceptor.connections.release(acceptor));
                try {
                    starter.accept(operated);
                } catch (Throwable e) {
                    acceptor.targets.reject(stream, e);
                }
            };
        }
    }

    StreamAcceptor(AsyncAcceptor acceptor, List<Proactor> loops, ListenOptions options, Service service) {
        super(acceptor.proactor().newHookOrder());
        this.proactor = acceptor.proactor();
        this.order = loop() instanceof HookOrder several ? several : null;
        this.acceptor = acceptor;
        this.options = options;
        this.refusal = options.refusal();
        this.connections = options.connections();
        this.targets = new Targets<>(LOG, acceptor, loops, options.distribution());
        this.service = service;
    }

    Connections connections() {
        return connections;
    }

    /** Begins to accept. Called by any thread, once. */
    void open() throws IOException {
        Descriptors.of(acceptor.handle()).addCloseListener(this);
        connections.add(this);
        proactor.addMember(this);
        loop().execute(this);
    }

    /** By any thread: accepts again if something has kept it from that, or ends. */
    @Override
    public void resume() {
        try {
            loop().execute(this);
        } catch (RejectedExecutionException e) {
            LOG.debug("{} ends with its loop", acceptor, e);
        }
    }

    @Override
    public void run() {
        try {
            accept();
        } catch (RuntimeException | Error e) {
            // Otherwise clients would wait in the backlog and never be accepted.
            acceptor.close();
            throw e;
        } finally {
            endIfOver();
        }
    }

    private void accept() {
        while (!closing && !waiting.isEmpty() && connections.reserve(this)) {
            serve(waiting.remove());
        }
        if (!closing && !accepting && !pausedByShortage && waiting.isEmpty()) {
            accepting = true;
            boolean started = false;
            try {
                polling = isBounded();
                ticket = polling ? acceptor.beginToWait(this) : acceptor.begin(this);
                started = true;
            } finally {
                accepting = started;
            }
        } else if (accepting && !polling && isBounded()) {
            acceptor.cancel(ticket);
        }
    }

    /** {@return whether each connection has to be accepted on a place that is reserved: the system reserves none} */
    private boolean isBounded() {
        return refusal == null && connections.isLimitedFor(this);
    }

    @Override
    public void handleCompletion(Completion completion) {
        if (order != null) {
            order.enter();
        }
        try {
            SocketStream stream = completion.stream();
            if (stream != null) {
                accepted(stream);
            } else if (completion.type() == OperationType.POLL && completion.isSuccess()) {
                accepting = false;
                acceptWithinLimit();
            } else {
                accepting = false;
                stopped(completion);
            }
            endIfOver();
        } finally {
            if (order != null) {
                order.leave();
            }
        }
    }

    private void accepted(SocketStream stream) {
        starved = false;
        if (closing) {
            stream.close();
        } else if (waiting.isEmpty() && connections.reserve(this)) {
            serve(stream);
        } else if (refusal != null) {
            targets.refuse(stream, refusal);
        } else {
            waiting.add(stream);
            acceptor.cancel(ticket);
        }
    }

    /** There is a client. */
    private void acceptWithinLimit() {
        try {
            for (int accepted = 0; accepted < FAIR_SHARE && !closing; accepted++) {
                if (!connections.reserve(this)) {
                    // Resumed when there is a place.
                    return;
                }
                if (!acceptReserved()) {
                    break;
                }
            }
            run();
        } catch (IOException e) {
            cannotAccept(e);
        } catch (OutOfMemoryError e) {
            lackMemory();
        }
    }

    private boolean acceptReserved() throws IOException {
        SocketStream stream = null;
        try {
            stream = acceptor.acceptor().accept();
        } finally {
            if (stream == null) {
                connections.release(this);
            }
        }
        if (stream != null) {
            starved = false;
            serve(stream);
        }
        return stream != null;
    }

    /** A failure costs this connection, not later ones. */
    private void serve(SocketStream stream) {
        try {
            if (options.admits(stream)) {
                targets.handOut(stream, target -> begin(target, stream));
            } else {
                stream.close();
                connections.release(this);
            }
        } catch (Throwable e) {
            reject(stream, e);
        }
    }

    private void begin(Proactor target, SocketStream stream) {
        try {
            options.applyTo(stream);
            service.begin(this, target, stream);
        } catch (Throwable e) {
            reject(stream, e);
        }
    }

    private void reject(SocketStream stream, Throwable cause) {
        connections.release(this);
        targets.reject(stream, cause);
    }

    private void stopped(Completion completion) {
        if (completion.isFailure()) {
            cannotAccept(Objects.requireNonNull(completion.error()));
        } else if (proactor.isOpen() && !closing) {
            // Cancelled since there is a limit now.
            run();
        } else {
            acceptor.close();
        }
    }

    private void cannotAccept(IOException cause) {
        if (closing || !acceptor.handle().isOpen()) {
            acceptor.close();
            return;
        }
        try {
            pause(cause);
        } catch (OutOfMemoryError e) {
            lackMemory();
        }
    }

    /** To say so, and to come back after a pause, takes memory: to start again the same operation does not. */
    private void lackMemory() {
        MemoryShortage.pause();
        pausedByShortage = false;
        run();
    }

    private void pause(IOException cause) {
        boolean passes = cause instanceof SystemCallException failed
                && ErrorScope.ofAccept(failed) != ErrorScope.SOCKET;
        if (!passes) {
            LOG.error("stopped accepting connections: {}", cause.getMessage());
            failed(cause);
            return;
        }
        if (!starved) {
            LOG.warn("accepting is paused: {}", cause.getMessage());
            starved = true;
        }
        pausedByShortage = true;
        proactor.schedule(over -> {
            pausedByShortage = false;
            resume();
        }, null, PAUSE);
    }

    // The end

    @Override
    public void handleClosing(Handle handle) {
        closing = true;
        try {
            loop().execute(this);
        } catch (RejectedExecutionException e) {
            // The loop is closed, so no hook can be in progress.
            endIfOver();
        }
    }

    private void endIfOver() {
        if (!closing || accepting || ended) {
            return;
        }
        ended = true;
        waiting.forEach(SocketStream::close);
        waiting.clear();
        connections.remove(this);
        proactor.removeMember(this);
    }

    @Override
    protected void finish() {
        acceptor.close();
    }

    @Override
    protected void endNow() {
        acceptor.close();
    }

    @Override
    public void handleFailure(@Nullable Handle handle, Throwable cause) {
        // What comes here is a lack of stack or memory.
        try {
            LOG.error("stopped accepting connections", cause);
        } finally {
            failed(cause);
        }
    }

    private void failed(Throwable cause) {
        if (closing) {
            // The hook has thrown, or the acceptor has been closed meanwhile.
            return;
        }
        try {
            options.failed(cause);
        } finally {
            acceptor.close();
        }
    }

    @Override
    public String toString() {
        return "acceptor on " + acceptor;
    }
}
