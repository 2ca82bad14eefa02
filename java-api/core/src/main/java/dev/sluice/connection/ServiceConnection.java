package dev.sluice.connection;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.dispatch.EndListener;
import dev.sluice.dispatch.HandlerEntry;
import dev.sluice.eventloop.EventLoop;
import dev.sluice.eventloop.spi.LoopMember;
import dev.sluice.failure.Failures;
import dev.sluice.handle.SocketStream;
import dev.sluice.hook.HookFailure;
import dev.sluice.reactor.Dispatcher;
import java.io.IOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection of a service handler, from the attempt to connect or its acceptance to its end: a member of its event
 * loop and of the registry of its acceptor. The object does not change when the connection is handed over to another
 * handler.
 */
final class ServiceConnection extends LoopMember implements EndListener, Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(ServiceHandler.class);

    final Dispatcher dispatcher;
    final ReadinessOutput output;
    private ServiceHandler handler;
    /** The socket; null until the connection is established. */
    @Nullable SocketStream peer;
    /** The entry of the registration; null until the connection is registered. */
    volatile @Nullable HandlerEntry entry;
    /** The registry of the acceptor; null if the connection was not accepted. */
    @Nullable Connections registry;
    /** Cancels the attempt to connect; null if none is in progress. */
    private volatile @Nullable Runnable cancellation;
    /** Whether the program has closed the connection, possibly while it was being established. */
    private volatile boolean closeRequested;
    private volatile @Nullable SocketAddress remoteAddress;
    final int receiveBufferSize;
    long openedNanos;
    long receivedBytes;
    /** Whether the last receive has filled its buffer, so that more bytes may be available. */
    boolean filled;
    private boolean opening;
    private boolean endedWhileOpening;
    /** Whether {@link ServiceHandler#closed()} has been called. */
    private boolean closed;
    /** Whether the handler has been asked to finish. */
    private boolean finished;
    /**
     * Number of received bytes at which the handler is asked to finish even if more are available; 0 until it is
     * computed.
     */
    private long restEnd;
    /**
     * The failure for which the service has not begun; null if there is none. The handler is notified only of a failed
     * attempt to connect, by {@link #notifyConnectFailed}.
     */
    private @Nullable Throwable refusal;

    ServiceConnection(ServiceHandler handler, Dispatcher dispatcher) {
        this(handler, dispatcher, new ReadinessOutput(handler, dispatcher));
    }

    private ServiceConnection(ServiceHandler handler, Dispatcher dispatcher, ReadinessOutput output) {
        super(output);
        this.handler = handler;
        this.dispatcher = dispatcher;
        this.receiveBufferSize = dispatcher.receiveBufferSize();
        this.output = output;
    }

    /** {@return the socket of an established connection} */
    SocketStream peer() {
        SocketStream established = peer;
        assert established != null;
        return established;
    }

    /** {@return the entry of a registered connection} */
    HandlerEntry entry() {
        HandlerEntry registered = entry;
        assert registered != null;
        return registered;
    }

    boolean isOpen() {
        HandlerEntry registered = entry;
        return registered != null && registered.isOpen();
    }

    @Nullable SocketAddress remoteAddress() {
        SocketAddress known = remoteAddress;
        if (known == null && peer != null) {
            try {
                known = peer.remoteAddress();
                remoteAddress = known;
            } catch (IOException e) {
                LOG.debug("the peer has gone", e);
            }
        }
        return known;
    }

    // Opening

    /** Called when an attempt to connect begins. */
    void connecting(SocketAddress address, Runnable cancel) {
        remoteAddress = address;
        cancellation = cancel;
    }

    boolean isConnecting() {
        return cancellation != null;
    }

    /** As {@link ServiceHandler#activate}. */
    void activate(SocketStream stream, Dispatcher owner, @Nullable Connections acceptedBy) {
        cancellation = null;
        peer = stream;
        registry = acceptedBy;
        openedNanos = System.nanoTime();
        boolean begun = false;
        try {
            owner.handlerTable().callFirst(stream.handle(), this);
            begun = refusal == null;
        } finally {
            if (!begun) {
                peer = null;
            }
        }
        Failures.throwFirst(refusal);
    }

    /** Registers the connection, and opens the handler before any other hook of the handle is called. */
    @Override
    public void run() {
        // The first send may fail and end the connection immediately, but closed() must be called after open().
        opening = true;
        try {
            if (handler.register() instanceof HandlerEntry registered) {
                join(registered);
            } else if (registry != null) {
                // The connection is not in the registry, so its end will not release its place.
                registry.free();
            }
        } catch (IOException | RuntimeException | Error e) {
            opening = false;
            endedWhileOpening = false;
            refusal = e;
            return;
        }
        if (closeRequested) {
            try {
                peer().close();
            } finally {
                endOpening();
            }
        } else {
            tryToOpen();
        }
    }

    private void join(HandlerEntry registered) {
        entry = registered;
        registered.notifyAtEnd(this);
        output.begin(peer(), registered);
        if (endedWhileOpening) {
            // It must not be added to the loop and the registry after its end.
            if (registry != null) {
                registry.free();
            }
            return;
        }
        // After output.begin(), because during a stop another thread may ask it to finish immediately.
        if (registered.dispatcher() instanceof EventLoop loop) {
            loop.addMember(this);
        }
        // Last, because the acceptor releases the place if an earlier step fails.
        if (registry != null) {
            registry.add(this, handler);
        }
    }

    private void tryToOpen() {
        // Stored, because open() may hand the connection over to another handler before it fails.
        ServiceHandler opened = handler;
        opening = true;
        try {
            opened.open();
        } catch (Throwable e) {
            failedToOpen(opened, e);
        } finally {
            endOpening();
        }
    }

    private void endOpening() {
        opening = false;
        if (endedWhileOpening) {
            endedWhileOpening = false;
            notifyClosed();
        }
    }

    private void failedToOpen(ServiceHandler failed, Throwable cause) {
        try {
            failed.handleFailure(entry, cause);
        } catch (Throwable e) {
            HookFailure.logUndelivered(failed, cause, e);
        }
        try {
            peer().close();
        } catch (Throwable e) {
            HookFailure.logUndelivered(failed, cause, e);
        }
    }

    /**
     * Called when the connection has been handed over. Opens the next handler, unless rearming the handle has failed.
     */
    void handedOver(ServiceHandler next, @Nullable IOException refused) {
        output.handOver(next);
        handler = next;
        if (registry != null) {
            registry.add(this, next);
        }
        if (refused == null) {
            tryToOpen();
        } else {
            failedToOpen(next, refused);
        }
    }

    // Closing

    /** As {@link ServiceHandler#close()}. */
    void close() {
        output.closing();
        closeRequested = true;
        HandlerEntry registered = entry;
        Runnable attempt = cancellation;
        if (registered != null) {
            registered.close();
        } else if (attempt != null) {
            attempt.run();
        }
    }

    /** Called when the attempt to connect has failed. */
    void notifyConnectFailed(Throwable cause) {
        boolean open = isOpen();
        cancellation = null;
        // Without allocating, because there may be no memory.
        try {
            handler.connectFailed(cause);
        } catch (Throwable e) {
            HookFailure.logUndelivered(handler, cause, e);
        }
        if (!open) {
            try {
                output.ended(cause);
            } finally {
                notifyClosed();
            }
        }
    }

    @Override
    public void handleEnd(@Nullable Throwable cause) {
        try {
            output.ended(cause);
            output.endTasks();
        } finally {
            try {
                leave();
            } finally {
                if (opening) {
                    endedWhileOpening = true;
                } else if (refusal == null) {
                    notifyClosed();
                }
            }
        }
    }

    private void leave() {
        if (registry != null) {
            registry.remove(this);
        }
        if (entry().dispatcher() instanceof EventLoop loop) {
            loop.removeMember(this);
        }
    }

    private void notifyClosed() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            handler.closed();
        } catch (Throwable e) {
            HookFailure.log(LOG, handler, null, e);
        }
    }

    @Override
    protected void finish() {
        Runnable task = this::finishInHook;
        output.whenInputResumes(task);
        if (entry().isCaller()) {
            task.run();
        } else {
            // If several threads dispatch, the caller may not be inside a hook of the connection.
            output.execute(task);
        }
    }

    /** Receives the bytes that have arrived, and then asks the handler to finish. */
    private void finishInHook() {
        try {
            if (finished || !entry().isOpen()) {
                return;
            }
            if (!receivesRest()) {
                if (entry().receivesInput()) {
                    // Continues later, for fairness to other connections. If a queue pauses the input, its resumption
                    // calls this method.
                    output.loop().execute(this::finishInHook);
                }
            } else if (entry().isOpen()) {
                finished = true;
                output.whenInputResumes(null);
                handler.finish();
            }
        } catch (Throwable e) {
            entry().end(e);
        }
    }

    /**
     * Receives the bytes that have arrived.
     *
     * @return false if more may be available, because a queue pauses the input or the budget is used up; true also if
     *         the program does not receive now
     */
    private boolean receivesRest() throws Exception {
        if (takesNoMore()) {
            return true;
        }
        if (!entry().receivesInput()) {
            return false;
        }
        if (restEnd == 0) {
            restEnd = receivedBytes + MAX_REST;
        }
        ServiceHandler asked = handler;
        filled = false;
        asked.handleInput(entry());
        return handler == asked && (!filled || receivedBytes >= restEnd) || takesNoMore();
    }

    private boolean takesNoMore() {
        return output.discardsInput() || output.hasInputEnded() || entry().isPaused()
                || !entry().interest().contains(Interest.READ);
    }

    @Override
    protected boolean isLingering() {
        return output.isLingering();
    }

    @Override
    public void endSoon() {
        if (entry().isShared()) {
            // Not as a task of the connection, because the hook for output is not called while the peer does not read.
            entry().dispatcher().execute(this::end);
        } else {
            super.endSoon();
        }
    }

    @Override
    protected void endNow() {
        entry().close();
    }

    @Override
    public String toString() {
        return handler.toString();
    }
}
