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
 * One connection of a service handler, from the attempt to connect or its acceptance to its end: as a member of its
 * event loop and of the connections of its acceptor. It stays the same when it is handed over to another handler.
 */
final class ServiceConnection extends LoopMember implements EndListener, Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(ServiceHandler.class);

    final Dispatcher dispatcher;
    final ReadinessOutput output;
    private ServiceHandler handler;
    /** Null until the connection is established. */
    @Nullable SocketStream peer;
    /** Null until it is registered. */
    volatile @Nullable HandlerEntry entry;
    /** Null if it was not accepted. */
    @Nullable Connections registry;
    /** Cancels the attempt to connect; null if there is none in progress. */
    private volatile @Nullable Runnable cancellation;
    /** Whether the program has closed the connection, perhaps while it was being established. */
    private volatile boolean closeRequested;
    private volatile @Nullable SocketAddress remoteAddress;
    final int receiveBufferSize;
    long openedNanos;
    long receivedBytes;
    /** Whether the last receive has filled its buffer, so that there may be more. */
    boolean filled;
    private boolean opening;
    private boolean endedWhileOpening;
    /** Whether {@link ServiceHandler#closed()} has been called. */
    private boolean closed;
    /** Whether the handler has been asked to finish. */
    private boolean finished;
    /** The number of received bytes at which it is asked in any case; 0 before the first look. */
    private long restEnd;
    /** Why the service has not begun. Then only an attempt to connect is notified, by {@link #notifyConnectFailed}. */
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

    /** {@return the socket of a connection that is established} */
    SocketStream peer() {
        SocketStream established = peer;
        assert established != null;
        return established;
    }

    /** {@return the registration of a connection that is registered} */
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

    // The beginning

    /** An attempt to connect begins. */
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

    /** Registers it, and opens it before any other hook of the handle is called. */
    @Override
    public void run() {
        // What is sent first may fail, and end the connection at once: closed() is for after open() nevertheless.
        opening = true;
        try {
            if (handler.register() instanceof HandlerEntry registered) {
                join(registered);
            } else if (registry != null) {
                // Nothing would free its place.
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
            // Nothing would remove it.
            if (registry != null) {
                registry.free();
            }
            return;
        }
        // Then the output runs tasks with the hooks: a stop in progress has another thread ask it to finish at once.
        if (registered.dispatcher() instanceof EventLoop loop) {
            loop.addMember(this);
        }
        // Last, as the acceptor frees the place if something fails before.
        if (registry != null) {
            registry.add(this, handler);
        }
    }

    private void tryToOpen() {
        // The connection may be another one's when it has failed.
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

    /** It belongs to another handler now, which is opened unless the system has refused to report it again. */
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

    // The end

    /** {@link ServiceHandler#close()} was called. */
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

    /** The attempt has failed. */
    void notifyConnectFailed(Throwable cause) {
        boolean open = isOpen();
        cancellation = null;
        // Without an object for the call: there may be no memory.
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
            // Where several threads dispatch, one that is in no hook of the connection asks for this.
            output.execute(task);
        }
    }

    /** What has come is received first, as the peer makes space for the answers. */
    private void finishInHook() {
        try {
            if (finished || !entry().isOpen()) {
                return;
            }
            if (!receivesRest()) {
                if (entry().receivesInput()) {
                    // The other connections get their turn. If a queue pauses the input, its resumption calls this.
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
     * Receives what has come.
     *
     * @return false if there may be more, which is left since a queue pauses the input, or other connections get their
     *         turn; true also if the program does not receive now
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
            // Not by a hook for output, which is not called as long as the peer takes nothing.
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
