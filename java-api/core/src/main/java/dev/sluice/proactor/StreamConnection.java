package dev.sluice.proactor;

import dev.sluice.connection.Connections;
import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.eventloop.spi.LoopMember;
import dev.sluice.failure.OutOfMemoryRetry;
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
 * A connection that receives by itself, and converts completions into calls of the typed hooks of a
 * {@link StreamHandler}. Accessed by the thread that calls the hooks, unless specified otherwise. It ends when its
 * handle has been closed, by any thread, and its last operation has completed.
 */
final class StreamConnection extends LoopMember implements CompletionHandler, CloseListener, Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(StreamConnection.class);
    /** Maximum time for the peer to end its output after ours has been shut down. */
    private static final Duration LINGER = Duration.ofSeconds(2);

    private final AsyncStream stream;
    private final Proactor proactor;
    /** The order of the hooks; null if the proactor is single-threaded. */
    private final @Nullable HookOrder order;
    /** The operation that connects, and then receives. */
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
    /** The registry of the acceptor; null if the connection was not accepted. */
    private @Nullable Connections registry;
    /** {@link #close()} as an object, because there may be no memory at the end. */
    private final Runnable closer = this::close;
    private @Nullable Timer linger;
    /** The idle timeouts; null until one is set. */
    private @Nullable StreamIdleTimeouts idleTimeouts;
    /** The attempt to connect; null if the connection was accepted. */
    private @Nullable StreamConnecting attempt;

    /**
     * Creates a connection that is neither established nor a member of its loop.
     *
     * @param hooks runs tasks sequentially with the hooks
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

    /** {@return whether the caller is the loop thread; if there are several, whether it calls a hook of this} */
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

    /** Opens an accepted connection, for which a place is reserved. */
    void open(Connections accepted) {
        enter();
        try {
            // If this throws, the acceptor still owns the place.
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

    /** Starts an attempt to connect, as {@link StreamConnecting#start} does. */
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
        // Called only for a lack of stack or memory outside of the hooks.
        HookFailure.log(LOG, handler, stream, cause);
        close();
    }

    private void sendOver(Completion completion) throws Exception {
        if (!stream.handle().isOpen()) {
            // After a close, a cancelled send is not a failure.
            output.over(failure);
        }
        if (output.completed(completion) && !closing) {
            handler.sent(stream);
        }
    }

    /** Run as a task: delivers held buffers, and ends the connection if it is over. */
    @Override
    public void run() {
        try {
            input.deliverHeld();
        } catch (Throwable e) {
            fail(OperationType.RECEIVE_CONTINUOUSLY, e);
        }
        endIfOver();
    }

    // Closing

    /** Called when the output has been shut down. Discards the input until its end, or for 2 seconds. */
    void linger() {
        input.discard();
        if (input.hasEnded()) {
            output.inputOver();
        } else {
            input.start();
            linger = proactor.schedule(over -> close(), null, LINGER);
        }
    }

    /** Ends the connection because of a failure, or an exception of a hook. */
    void fail(OperationType operation, Throwable cause) {
        try {
            if (cause instanceof HandleClosedException && !stream.handle().isOpen()) {
                LOG.debug("{} was closed in the meantime", stream, cause);
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
        OutOfMemoryRetry.retryUntilAvailable(closer);
    }

    /** Closes the connection. Called by any thread. */
    void close() {
        if (stream.hasSocket()) {
            stream.handle().close();
            // Set here as well, because the listener may not have been added yet.
            closing = true;
        } else {
            handleClosing(null);
        }
    }

    /** Called by the thread that closes the handle. */
    @Override
    public void handleClosing(@Nullable Handle handle) {
        closing = true;
        if (isInside() && isInFlight()) {
            // The completion ends the connection.
            return;
        }
        try {
            loop().execute(this);
        } catch (RejectedExecutionException e) {
            // The loop is closed, so no hook is running.
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

    /** Runs a task sequentially with the hooks. Called by a thread of the loop. */
    void inOrder(Runnable task) {
        if (order == null) {
            task.run();
        } else {
            order.execute(task);
        }
    }

    /** Called when an idle timeout has elapsed. */
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

    /** {@return the string form of the stream, for messages about its hooks} */
    @Override
    public String toString() {
        return stream.toString();
    }
}
