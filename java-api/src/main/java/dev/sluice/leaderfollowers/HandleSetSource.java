package dev.sluice.leaderfollowers;

import dev.sluice.demultiplexer.EventType;
import dev.sluice.demultiplexer.HandleSetKind;
import dev.sluice.demultiplexer.ReadyHandles;
import dev.sluice.demultiplexer.SynchronousEventDemultiplexer;
import dev.sluice.handle.Handle;
import dev.sluice.reactor.EventHandler;
import java.io.IOException;
import java.util.Objects;

/**
 * A handle set that threads share, with the handlers of its handles: what the paper adds to a Reactor (implementation
 * activity 2). The handlers are those of a {@link dev.sluice.reactor.Reactor}, unchanged:
 * <ul>
 * <li>The hooks of one handle are called one after the other, though by different threads. While a hook runs, its
 *     handle is deactivated on an iterative set, and not rearmed on a concurrent one.
 * <li>A hook may block, which keeps only one thread busy.
 * <li>When a hook throws, an exception or an error, or the system refuses a change, the registration ends, with
 *     {@link EventHandler#handleFailure} and {@link EventHandler#handleClose}. The latter is called exactly once for
 *     each registration, after any running hook has returned, by the thread that ran that hook or else by the one that
 *     ends the registration, which may be the one that closes the handle.
 * <li>Timers and signals are not served.
 * </ul>
 */
public final class HandleSetSource implements EventSource {

    private static final int BATCH = 256;

    private final SynchronousEventDemultiplexer demultiplexer;
    private final HandleSetKind kind;
    private final SharedDemultiplexingTable table;

    /**
     * Makes a source of a handle set, of the handle set's own kind.
     *
     * @param demultiplexer an empty handle set; the source owns it from now on
     */
    public HandleSetSource(SynchronousEventDemultiplexer demultiplexer) {
        this(demultiplexer, demultiplexer.handleSetKind());
    }

    /**
     * Makes a source of a handle set, to be used as a set of the given kind.
     *
     * @param demultiplexer an empty handle set; the source owns it from now on
     * @param kind          iterative to have a leader even for a concurrent set
     * @throws IllegalArgumentException if an iterative set is to be used as a concurrent one
     */
    public HandleSetSource(SynchronousEventDemultiplexer demultiplexer, HandleSetKind kind) {
        if (kind == HandleSetKind.CONCURRENT && demultiplexer.handleSetKind() == HandleSetKind.ITERATIVE) {
            throw new IllegalArgumentException(demultiplexer.name() + " is an iterative handle set, one thread waits");
        }
        this.demultiplexer = demultiplexer;
        this.kind = Objects.requireNonNull(kind, "kind");
        this.table = new SharedDemultiplexingTable(demultiplexer);
    }

    /** {@return what it waits with} */
    public SynchronousEventDemultiplexer demultiplexer() {
        return demultiplexer;
    }

    @Override
    public HandleSetKind kind() {
        return kind;
    }

    /**
     * Registers a handler for more events on its own handle; a new leader is promoted before it is dispatched.
     *
     * @param handler asked for its {@link EventHandler#handle()}
     * @param events  bits of {@link EventType#IO}, added to those it is registered for
     * @throws IOException as {@link #registerHandler(Handle, EventHandler, int, Promotion)}
     */
    public void registerHandler(EventHandler handler, int events) throws IOException {
        registerHandler(handler.handle(), handler, events, Promotion.BEFORE_DISPATCH);
    }

    /**
     * Registers a handler for more events on a handle. A handler may serve several handles; a handle has one handler.
     *
     * @param handle    which
     * @param handler   called from now on, or if a hook of an earlier registration of the handle is still running, once
     *                  that one's {@link EventHandler#handleClose} has been called
     * @param events    bits of {@link EventType#IO}, added to those it is registered for; 0 registers it for later
     * @param promotion who promotes a new leader; ignored if the handle is registered already
     * @throws IllegalArgumentException if there are other bits
     * @throws IllegalStateException    if the handle has another handler, or this is closed
     * @throws IOException              if the handle is closed, or the mechanism cannot take it
     */
    public void registerHandler(Handle handle, EventHandler handler, int events, Promotion promotion)
            throws IOException {
        Objects.requireNonNull(handle, "handle");
        Objects.requireNonNull(handler, "handler");
        Objects.requireNonNull(promotion, "promotion");
        table.register(handle, handler, EventType.requireIo(events), promotion);
    }

    /**
     * Ends the registration of a handle, with {@link EventHandler#handleClose}, which closes the handle unless it is
     * overridden. To wait for fewer events, or for none for a while, use {@link #changeEvents} and
     * {@link #deactivateHandle}. Does nothing if the handle is not registered.
     *
     * @param handle which
     */
    public void removeHandler(Handle handle) {
        SharedHandlerEntry entry = find(handle);
        if (entry != null) {
            entry.end(null);
        }
    }

    /**
     * Replaces the events of a registered handle in one go. Does nothing if the handle is not registered.
     *
     * @param handle which
     * @param events bits of {@link EventType#IO}; with 0 the registration stays and is silent
     */
    public void changeEvents(Handle handle, int events) {
        EventType.requireIo(events);
        SharedHandlerEntry entry = find(handle);
        if (entry != null) {
            entry.changeEvents(events);
        }
    }

    /**
     * Pauses a handle until {@link #reactivateHandle}, as {@link dev.sluice.reactor.Reactor#deactivateHandle} does.
     * Does nothing if it is not registered.
     *
     * @param handle which
     */
    public void deactivateHandle(Handle handle) {
        SharedHandlerEntry entry = find(handle);
        if (entry != null) {
            entry.silence();
        }
    }

    /**
     * Ends {@link #deactivateHandle}; what became ready meanwhile is dispatched. Does nothing if it is not registered.
     *
     * @param handle which
     */
    public void reactivateHandle(Handle handle) {
        SharedHandlerEntry entry = find(handle);
        if (entry != null) {
            entry.unsilence();
        }
    }

    private SharedHandlerEntry find(Handle handle) {
        return table.find(Objects.requireNonNull(handle, "handle"));
    }

    @Override
    public Waiter newWaiter() {
        // If no other thread can take what a waiter leaves, it takes one event at a time.
        return new HandleSetWaiter(kind == HandleSetKind.CONCURRENT ? 1 : BATCH);
    }

    /** Hands out the handles of one wait one by one, to the leader and then to the leaders after it. */
    private final class HandleSetWaiter implements Waiter {

        private final ReadyHandles ready;
        private int next;

        HandleSetWaiter(int capacity) {
            ready = demultiplexer.newReadyHandles(capacity);
        }

        @Override
        public PendingEvent await(long timeoutNanos) throws IOException {
            PendingEvent event = nextEvent();
            if (event == null) {
                next = 0;
                demultiplexer.awaitReady(ready, timeoutNanos);
                event = nextEvent();
            }
            return event;
        }

        private PendingEvent nextEvent() {
            while (next < ready.size()) {
                int index = next++;
                SharedHandlerEntry entry = (SharedHandlerEntry) ready.registration(index).attachment();
                if (entry.claim(ready.events(index))) {
                    return entry;
                }
            }
            return null;
        }

        @Override
        public void close() {
            ready.close();
        }
    }

    @Override
    public void wakeUp() {
        demultiplexer.wakeUp();
    }

    @Override
    public void close() {
        table.close();
        demultiplexer.close();
    }

    /** {@return for example {@code handle set on epoll}} */
    @Override
    public String toString() {
        return "handle set on " + demultiplexer.name();
    }
}
