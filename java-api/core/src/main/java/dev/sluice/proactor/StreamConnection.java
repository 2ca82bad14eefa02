package dev.sluice.proactor;

import dev.sluice.connection.Connections;
import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.eventloop.spi.LoopMember;
import dev.sluice.failure.MemoryShortage;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.PeerAddress;
import dev.sluice.handle.spi.CloseListener;
import dev.sluice.handle.spi.Descriptors;
import dev.sluice.hook.HookFailure;
import dev.sluice.timer.Timer;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The life of one connection: receives by itself, and turns completions into the typed hooks of a {@link
 * StreamHandler}. Used by the thread that calls the hooks, except where it says otherwise. It ends when its handle has
 * been closed, by whichever thread, and its last operation has completed.
 */
final class StreamConnection extends LoopMember implements CompletionHandler, CloseListener, Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(StreamConnection.class);
    /** How long the peer may take to end its output after ours has been shut down. */
    private static final Duration LINGER = Duration.ofSeconds(2);

    private final AsyncStream stream;
    private final Proactor proactor;
    /** Null where one thread runs the proactor. */
    private final @Nullable HookOrder order;
    /** Connects, and then receives. */
    private final Operation operation;
    private final StreamOutput output;
    private final StreamInput input;
    private StreamHandler handler;
    private volatile boolean connected;
    private volatile long openedNanos;
    /** Whether the handle is being closed, or there is none. */
    private volatile boolean closing;
    private @Nullable Throwable failure;
    private boolean ended;
    /** That of the acceptor; null if the connection was not accepted. */
    private @Nullable Connections registry;
    /** Made ahead: at the end there may be no memory. */
    private final Runnable closer = this::close;
    private @Nullable Timer linger;
    /** Null until one is set. */
    private @Nullable StreamIdleTimeouts idleTimeouts;
    /** Null if the connection was accepted. */
    private @Nullable StreamConnecting attempt;

    /**
     * Creates a connection that is neither established nor a member of its loop.
     *
     * @param hooks runs tasks one after the other with the hooks
     */
    StreamConnection(AsyncStream stream, StreamHandler handler, Executor hooks) {
        super(hooks);
        this.stream = stream;
        this.proactor = stream.proactor();
        this.order = loop() instanceof HookOrder several ? several : null;
        this.handler = handler;
        this.operation = proactor.demultiplexer.newOperation();
        this.input = new StreamInput(this, stream, operation);
        this.output = new StreamOutput(this, stream);
    }

    // Threads

    /** {@return whether the caller is the loop thread; where there are many, whether it calls a hook of this one} */
    boolean isInside() {
        return order == null ? proactor.inEventLoop() : order.isInside();
    }

    void requireInside(String method) {
        if (!isInside()) {
            throw new IllegalStateException(method + ": only the loop thread of " + proactor
                    + " may call this; use loop().execute(...); " + stream);
        }
    }

    private void enter() {
        if (order != null) {
            order.enter();
        }
    }

    private void leave() {
        if (order != null) {
            order.leave();
        }
    }

    /** Begins to serve an accepted connection, for which a place is reserved. */
    void open(Connections accepted) {
        enter();
        try {
            // If this throws, the place is still the acceptor's.
            accepted.add(this, stream);
            registry = accepted;
            try {
                join();
                established();
            } catch (Throwable e) {
                fail(OperationType.ACCEPT, e);
            } finally {
                endIfOver();
            }
        } finally {
            leave();
        }
    }

    /** Begins to connect, as {@link StreamConnecting#start} says. */
    void connect(@Nullable PeerAddress peer, Duration timeout, @Nullable IOException cause) {
        StreamConnecting begun = new StreamConnecting(this, stream, operation, timeout);
        attempt = begun;
        begun.start(peer, cause);
    }

    void join() throws IOException {
        if (stream.hasSocket()) {
            Descriptors.of(stream.handle()).addCloseListener(this);
        }
        proactor.addMember(this);
    }

    private void connectOver(Completion completion) throws Exception {
        if (attempt != null && attempt.isEstablished(completion)) {
            established();
        } else {
            close();
        }
    }

    private void established() throws Exception {
        openedNanos = System.nanoTime();
        connected = true;
        output.begin();
        if (failure == null) {
            handler.opened(stream);
        }
        input.start();
    }

    // Completions

    @Override
    public void handleCompletion(Completion completion) {
        enter();
        try {
            dispatch(completion);
        } finally {
            leave();
        }
    }

    private void dispatch(Completion completion) {
        OperationType type = completion.type();
        try {
            switch (type) {
                case RECEIVE_CONTINUOUSLY -> input.received(completion);
                case CONNECT -> connectOver(completion);
                default -> sendOver(completion);
            }
        } catch (Throwable e) {
            fail(type, e);
        }
        if (closing) {
            endIfOver();
        }
    }

    @Override
    public void handleFailure(@Nullable Handle handle, Throwable cause) {
        // Only for lack of stack or memory outside of the hooks.
        HookFailure.log(LOG, handler, stream, cause);
        close();
    }

    private void sendOver(Completion completion) throws Exception {
        if (!stream.handle().isOpen()) {
            // That it comes back as cancelled is no failure. The close may be on its way to this.
            output.over(failure);
        }
        if (output.completed(completion) && !closing) {
            handler.sent(stream);
        }
    }

    /** As a task: delivers what was held, and ends the connection if that was what it waited for. */
    @Override
    public void run() {
        try {
            input.deliverHeld();
        } catch (Throwable e) {
            fail(OperationType.RECEIVE_CONTINUOUSLY, e);
        }
        endIfOver();
    }

    // The end

    /** The output has been shut down: what the peer still sends is discarded, and its end is awaited for a while. */
    void linger() {
        input.discard();
        if (input.hasEnded()) {
            output.inputOver();
        } else {
            input.start();
            linger = proactor.schedule(over -> close(), null, LINGER);
        }
    }

    /** Something has failed, or a hook has thrown something: that ends the connection. */
    void fail(OperationType operation, Throwable cause) {
        try {
            if (cause instanceof HandleClosedException && !stream.handle().isOpen()) {
                LOG.debug("{} was closed meanwhile", stream, cause);
            } else if (failure == null) {
                failure = cause;
                output.over(cause);
                handler.failed(stream, operation, cause);
            } else {
                HookFailure.log(LOG, handler, stream, cause);
            }
        } catch (Throwable e) {
            HookFailure.logUndelivered(handler, cause, e);
        }
        MemoryShortage.retryUntilAvailable(closer);
    }

    /** By any thread. */
    void close() {
        if (stream.hasSocket()) {
            stream.handle().close();
            // The listener may not have been added yet.
            closing = true;
        } else {
            handleClosing(null);
        }
    }

    /** By the thread that closes the handle. */
    @Override
    public void handleClosing(@Nullable Handle handle) {
        closing = true;
        if (isInside() && isInFlight()) {
            // Its completion ends the connection.
            return;
        }
        try {
            loop().execute(this);
        } catch (RejectedExecutionException e) {
            // The loop is closed, so no hook can be in progress.
            endIfOver();
        }
    }

    private boolean isInFlight() {
        return input.isReceiving() || attempt != null && attempt.isInFlight() || output.isInFlight();
    }

    void endIfOver() {
        if (!closing || ended || input.isDelivering() || isInFlight()) {
            return;
        }
        ended = true;
        endTimers();
        input.discardHeld();
        try {
            output.over(failure);
        } catch (Throwable e) {
            HookFailure.log(LOG, handler, stream, e);
        }
        proactor.removeMember(this);
        if (registry != null) {
            registry.remove(this);
        }
        try {
            handler.closed(stream);
        } catch (Throwable e) {
            HookFailure.log(LOG, handler, stream, e);
        }
    }

    private void endTimers() {
        if (attempt != null) {
            attempt.end();
        }
        if (linger != null) {
            linger.cancel();
        }
        if (idleTimeouts != null) {
            idleTimeouts.end();
        }
    }

    @Override
    protected void finish() {
        inOrder(this::finishInside);
    }

    private void finishInside() {
        if (!closing) {
            try {
                if (connected) {
                    input.finish();
                } else {
                    close();
                }
            } catch (Throwable e) {
                fail(OperationType.CLOSE, e);
            }
            endIfOver();
        }
    }

    @Override
    protected boolean isLingering() {
        return input.isDiscarding();
    }

    @Override
    protected void endNow() {
        close();
    }

    /** Calls something where hooks are called. The caller is a thread of the loop. */
    void inOrder(Runnable task) {
        if (order == null) {
            task.run();
        } else {
            order.execute(task);
        }
    }

    /** Nothing has passed for a time. */
    void idle(Interest direction) {
        if (connected && !closing) {
            try {
                handler.idle(stream, direction);
            } catch (Throwable e) {
                fail(OperationType.TIMEOUT, e);
            }
            endIfOver();
        }
    }

    void idleTimeout(Interest direction, Duration time) {
        if (idleTimeouts == null) {
            idleTimeouts = new StreamIdleTimeouts(this, proactor);
        }
        idleTimeouts.set(direction, time);
    }

    void handOver(StreamHandler next) {
        handler = next;
    }

    StreamHandler handler() {
        return handler;
    }

    StreamInput input() {
        return input;
    }

    StreamOutput output() {
        return output;
    }

    boolean isConnected() {
        return connected && !closing;
    }

    boolean isClosing() {
        return closing;
    }

    long openedNanos() {
        return openedNanos;
    }

    /** {@return the connection, for messages about its hooks} */
    @Override
    public String toString() {
        return stream.toString();
    }
}
