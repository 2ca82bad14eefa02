package dev.sluice.proactor;

import dev.sluice.connection.Connections;
import dev.sluice.connection.ListenOptions;
import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.dispatch.Targets;
import dev.sluice.eventloop.spi.AcceptorMember;
import dev.sluice.failure.OutOfMemoryRetry;
import dev.sluice.handle.ErrorScope;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketStream;
import dev.sluice.handle.SystemCallException;
import dev.sluice.handle.spi.CloseListener;
import dev.sluice.handle.spi.Descriptors;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts connections, and starts a service for each on one of its loops. Pauses while there are no descriptors or no
 * memory, and at the limit of its registry. Accessed by the thread that calls its hooks, unless specified otherwise.
 */
final class StreamAcceptor extends AcceptorMember implements CompletionHandler, CloseListener, Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(StreamAcceptor.class);
    /** Time between attempts to accept while descriptors or memory are lacking. */
    private static final Duration PAUSE = Duration.ofMillis(100);
    /** Maximum number of connections accepted per completion if there is a limit, for fairness to other hooks. */
    private static final int ACCEPT_BUDGET = 64;

    private final Proactor proactor;
    private final @Nullable HookOrder order;
    private final AsyncAcceptor acceptor;
    private final ListenOptions options;
    private final Connections connections;
    private final Targets<Proactor> targets;
    private final Service service;
    /**
     * Connections beyond the limit that were accepted before it was set, in order. A list, because a deque loses its
     * elements if there is no memory for another one.
     */
    private final List<SocketStream> waiting = new ArrayList<>();
    /** Called with connections beyond the limit; null if clients wait in the backlog instead. */
    private final @Nullable Consumer<? super SocketStream> refusal;
    private long ticket;
    /** Whether an operation is in flight that accepts or waits for a client. */
    private boolean accepting;
    /** Whether that operation waits for a client. */
    private boolean polling;
    private boolean shortageLogged;
    private boolean paused;
    private volatile boolean closing;
    private boolean ended;

    /** A service on accepted connections. */
    @FunctionalInterface
    interface Service {

        /**
         * Starts the service of a connection, for which a place is reserved, on a thread of the loop. If it throws, the
         * place is still reserved.
         */
        void begin(StreamAcceptor acceptor, Proactor loop, SocketStream stream) throws IOException;

        /** {@return a service with a handler for each connection} */
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

        /** {@return a service of individual operations; a connection has its place until its socket is closed} */
        static Service ofOperations(Consumer<? super AsyncStream> starter) {
            Objects.requireNonNull(starter, "starter");
            return (acceptor, loop, stream) -> {
                AsyncStream operated = new AsyncStream(loop, stream);
                Descriptors.of(stream.handle()).addCloseListener(
                        closing -> acceptor.connections.release(acceptor));
                try {
                    starter.accept(operated);
                } catch (Throwable e) {
                    acceptor.targets.closeFailed(stream, e);
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

    /** Starts accepting. Called once, by any thread. */
    void open() throws IOException {
        Descriptors.of(acceptor.handle()).addCloseListener(this);
        connections.add(this);
        proactor.addMember(this);
        loop().execute(this);
    }

    /** Resumes accepting, or ends. Called by any thread. */
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
            // If it stayed open, clients would wait in the backlog and never be accepted.
            acceptor.close();
            throw e;
        } finally {
            endIfOver();
        }
    }

    private void accept() {
        while (!closing && !waiting.isEmpty() && connections.reserve(this)) {
            serve(waiting.remove(0));
        }
        if (!closing && !accepting && !paused && waiting.isEmpty()) {
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

    /** {@return whether a place must be reserved before each accept, which a continuous accept does not do} */
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
        shortageLogged = false;
        if (closing) {
            stream.close();
        } else if (waiting.isEmpty() && connections.reserve(this)) {
            serve(stream);
        } else if (refusal != null) {
            targets.reject(stream, refusal);
        } else {
            addWaiting(stream);
            acceptor.cancel(ticket);
        }
    }

    private void addWaiting(SocketStream stream) {
        try {
            waiting.add(stream);
        } catch (OutOfMemoryError e) {
            // It has no place to release.
            targets.closeFailed(stream, e);
        }
    }

    /** Accepts waiting connections within the limit. */
    private void acceptWithinLimit() {
        try {
            for (int accepted = 0; accepted < ACCEPT_BUDGET && !closing; accepted++) {
                if (!connections.reserve(this)) {
                    // The registry will resume this acceptor.
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
            pauseWithoutMemory();
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
            shortageLogged = false;
            serve(stream);
        }
        return stream != null;
    }

    /** Starts the service of a connection. A failure affects only this connection. */
    private void serve(SocketStream stream) {
        try {
            if (options.admits(stream)) {
                targets.assign(stream, target -> begin(target, stream));
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
        targets.closeFailed(stream, cause);
    }

    private void stopped(Completion completion) {
        if (completion.isFailure()) {
            cannotAccept(Objects.requireNonNull(completion.error()));
        } else if (proactor.isOpen() && !closing) {
            // Cancelled because a limit has been set.
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
            pauseWithoutMemory();
        }
    }

    /** Pauses without logging or a timer, which would need memory, and starts the operation again. */
    private void pauseWithoutMemory() {
        OutOfMemoryRetry.pause();
        paused = false;
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
        if (!shortageLogged) {
            LOG.warn("accepting is paused: {}", cause.getMessage());
            shortageLogged = true;
        }
        paused = true;
        proactor.schedule(over -> {
            paused = false;
            resume();
        }, null, PAUSE);
    }

    // Closing

    @Override
    public void handleClosing(Handle handle) {
        closing = true;
        try {
            loop().execute(this);
        } catch (RejectedExecutionException e) {
            // The loop is closed, so no hook is running.
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
        // Only a lack of stack or memory is reported here.
        try {
            LOG.error("stopped accepting connections", cause);
        } finally {
            failed(cause);
        }
    }

    private void failed(Throwable cause) {
        if (closing) {
            // The hook has thrown, or the acceptor has been closed.
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
