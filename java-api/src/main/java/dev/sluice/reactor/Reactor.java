package dev.sluice.reactor;

import dev.sluice.demultiplexer.Demultiplexers;
import dev.sluice.demultiplexer.EventType;
import dev.sluice.demultiplexer.ReadyHandles;
import dev.sluice.demultiplexer.SynchronousEventDemultiplexer;
import dev.sluice.eventloop.EventLoop;
import dev.sluice.eventloop.LoopThreads;
import dev.sluice.handle.Handle;
import dev.sluice.hook.HookFailure;
import dev.sluice.timer.TimerHeap;
import dev.sluice.timer.TimerQueue;
import java.io.IOException;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The papers' Reactor: waits for indication events on many handles at once and dispatches them to their event handlers,
 * together with timers, signals and tasks.
 *
 * <p>One thread runs the event loop, by {@link #run()} or by calling {@link #handleEvents(Duration)} itself; it is the
 * loop thread, and it should be a platform thread, because it blocks in the kernel. All hooks are called by it. Every
 * method may be called from any thread; when a thread other than the loop thread calls one that changes the reactor,
 * the change is queued and made by the loop thread, in order, and its failures go to
 * {@link EventHandler#handleFailure}.
 */
public final class Reactor extends EventLoop {

    private static final Logger LOG = LoggerFactory.getLogger(Reactor.class);
    private static final int BATCH = 512;

    private final SynchronousEventDemultiplexer demultiplexer;
    private final ReadyHandles ready;
    private final DemultiplexingTable table;
    /** How much of the batch has been dispatched. */
    private int dispatched;

    /**
     * Makes a reactor of its parts, which it owns from now on, unless this throws.
     *
     * @param demultiplexer to wait with
     * @param timers        the strategy for its timers, empty
     */
    public Reactor(SynchronousEventDemultiplexer demultiplexer, TimerQueue timers) {
        super(timers, LoopThreads.ONE_AT_A_TIME);
        this.demultiplexer = Objects.requireNonNull(demultiplexer, "demultiplexer");
        this.ready = demultiplexer.newReadyHandles(BATCH);
        this.table = new DemultiplexingTable(this::performOrEnqueue, this::isConfined, demultiplexer);
    }

    /**
     * Opens a reactor on the best demultiplexer of this system, with a {@link TimerHeap}.
     *
     * @return the reactor; the caller closes it
     * @throws IOException if the system refuses
     */
    public static Reactor open() throws IOException {
        return open(Demultiplexers.AUTO);
    }

    /**
     * Opens a reactor on a demultiplexer by name, with a {@link TimerHeap}.
     *
     * @param demultiplexer a name as for {@link Demultiplexers#openSynchronous(String)}
     * @return the reactor; the caller closes it
     * @throws IllegalArgumentException if there is no usable demultiplexer of this name; the message lists the right
     *                                  ones
     * @throws IOException              if the system refuses
     */
    public static Reactor open(String demultiplexer) throws IOException {
        SynchronousEventDemultiplexer opened = Demultiplexers.openSynchronous(demultiplexer);
        try {
            return new Reactor(opened, new TimerHeap());
        } catch (Throwable e) {
            opened.close();
            throw e;
        }
    }

    /**
     * {@return the reactor of the process, for programs that need only one; opened at the first call and never closed}
     *
     * @throws java.io.UncheckedIOException if the system refuses to open it
     */
    public static Reactor instance() {
        return SingletonReactor.INSTANCE;
    }

    /** {@return what it waits with} */
    public SynchronousEventDemultiplexer demultiplexer() {
        return demultiplexer;
    }

    // Registration

    /**
     * Registers a handler for more events on its own handle.
     *
     * @param handler asked for its {@link EventHandler#handle()}
     * @param events  bits of {@link EventType#IO}, added to those it is registered for
     * @throws IllegalArgumentException as {@link #registerHandler(Handle, EventHandler, int)}
     * @throws IOException              as {@link #registerHandler(Handle, EventHandler, int)}
     */
    public void registerHandler(EventHandler handler, int events) throws IOException {
        registerHandler(handler.handle(), handler, events);
    }

    /**
     * Registers a handler for more events on a handle. A handler may serve several handles; a handle has one handler.
     *
     * @param handle  the handle
     * @param handler called from now on
     * @param events  bits of {@link EventType#IO}, added to those it is registered for; 0 registers it for later
     * @throws IllegalArgumentException if there are other bits
     * @throws IllegalStateException    if the handle has another handler, or the reactor is closed
     * @throws IOException              if the handle is closed, or the mechanism cannot take it; if the caller is not
     *                                  the loop thread, such failures go to {@link EventHandler#handleFailure} instead
     */
    public void registerHandler(Handle handle, EventHandler handler, int events) throws IOException {
        Objects.requireNonNull(handle, "handle");
        Objects.requireNonNull(handler, "handler");
        EventType.requireIo(events);
        requireOpen();
        if (perform(() -> table.register(handle, handler, events))) {
            return;
        }
        boolean accepted = enqueue(() -> {
            try {
                table.register(handle, handler, events);
            } catch (Throwable e) {
                HookFailure.tell(handler, e, () -> handler.handleFailure(handle, e));
            }
        });
        if (!accepted) {
            throw closedException();
        }
    }

    /**
     * Ends the registration of a handler with its own handle, see {@link #removeHandler(Handle)}.
     *
     * @param handler asked for its {@link EventHandler#handle()}
     */
    public void removeHandler(EventHandler handler) {
        removeHandler(handler.handle());
    }

    /**
     * Ends the registration of a handle, with {@link EventHandler#handleClose}, which closes the handle unless it is
     * overridden. To wait for fewer events, or for none for a while, use {@link #changeEvents} and
     * {@link #deactivateHandle}. Does nothing if the handle is not registered.
     *
     * @param handle the handle
     */
    public void removeHandler(Handle handle) {
        Objects.requireNonNull(handle, "handle");
        performOrEnqueue(() -> table.remove(handle));
    }

    /**
     * Tells whether a handle has a handler here. For the loop thread only.
     *
     * @param handle the handle
     * @return whether it is registered
     * @throws IllegalStateException if the caller is not the loop thread
     */
    public boolean isRegistered(Handle handle) {
        Objects.requireNonNull(handle, "handle");
        if (!inLoop()) {
            throw new IllegalStateException("only the loop thread of " + this + " can tell what is registered");
        }
        return table.contains(handle);
    }

    /**
     * Replaces the events of a registered handle in one go, as when a handler turns from reading to writing. Does
     * nothing if the handle is not registered.
     *
     * @param handle the handle
     * @param events bits of {@link EventType#IO}; with 0 the registration stays and is silent, as a deactivated one is
     */
    public void changeEvents(Handle handle, int events) {
        Objects.requireNonNull(handle, "handle");
        EventType.requireIo(events);
        if (isInside()) {
            table.change(handle, events);
        } else {
            performOrEnqueue(() -> table.change(handle, events));
        }
    }

    /**
     * Pauses a handle until {@link #reactivateHandle}: none of its events is dispatched, and those it is registered for
     * stay the same. Does nothing if it is not registered.
     *
     * <p>Whatever happens on the connection meanwhile waits as well: bytes, the end of the stream, a reset. The hook of
     * {@link EventType#READ} or {@link EventType#WRITE} finds it when the handle is active again. To be told of a reset
     * at once, but of nothing else, stay registered for {@link EventType#EXCEPTION} alone, with {@link #changeEvents}:
     * where the system reports a reset, as {@code epoll} and {@code poll} do but {@code select} does not,
     * {@link EventHandler#handleException} is called, and a receive then fails with the error. No system reports the
     * end of a stream that nobody reads.
     *
     * @param handle the handle
     */
    public void deactivateHandle(Handle handle) {
        Objects.requireNonNull(handle, "handle");
        performOrEnqueue(() -> table.setActive(handle, false));
    }

    /**
     * Ends {@link #deactivateHandle}; what became ready meanwhile is dispatched. Does nothing if it is not registered.
     *
     * @param handle the handle
     */
    public void reactivateHandle(Handle handle) {
        Objects.requireNonNull(handle, "handle");
        performOrEnqueue(() -> table.setActive(handle, true));
    }

    // The event loop

    @Override
    protected int await(long timeoutNanos) throws IOException {
        // Not left to the wait: if it fails, nothing must be dispatched a second time.
        ready.clear();
        dispatched = 0;
        return demultiplexer.awaitReady(ready, timeoutNanos);
    }

    @Override
    protected int dispatchAwaited() {
        int count = 0;
        // Both are fields because a handler may run the loop itself, which refills the batch and dispatches it.
        while (dispatched < ready.size()) {
            int index = dispatched++;
            // Even if none of its events is wanted any more, because a one-shot handle must be rearmed.
            count += dispatch((HandlerEntry) ready.registration(index).attachment(), ready.events(index));
        }
        return count;
    }

    private int dispatch(HandlerEntry entry, int events) {
        int count = 0;
        try {
            if ((events & EventType.EXCEPTION) != 0) {
                count++;
                entry.handler.handleException(entry.handle);
            }
            // Output first: it makes room in the buffers that input would fill.
            if ((events & EventType.WRITE) != 0 && entry.wants(EventType.WRITE)) {
                count++;
                entry.handler.handleOutput(entry.handle);
            }
            if ((events & EventType.READ) != 0 && entry.wants(EventType.READ)) {
                count++;
                entry.handler.handleInput(entry.handle);
            }
            if (entry.rearms) {
                entry.registration.rearm();
            }
        } catch (Throwable e) {
            table.hookFailed(entry, e);
        }
        return count;
    }

    @Override
    protected void failed(Object handler, Throwable cause) {
        if (handler instanceof EventHandler eventHandler) {
            try {
                eventHandler.handleFailure(null, cause);
            } catch (Throwable e) {
                HookFailure.untold(handler, cause, e);
            }
        } else {
            HookFailure.log(LOG, handler, "a timer or signal", cause);
        }
    }

    @Override
    public void wakeUp() {
        demultiplexer.wakeUp();
    }

    @Override
    protected void endAll() {
        table.endAll();
    }

    @Override
    protected void dispose() {
        try {
            demultiplexer.close();
        } finally {
            ready.close();
        }
    }

    /** {@return for example {@code reactor on epoll}} */
    @Override
    public String toString() {
        return "reactor on " + demultiplexer.name();
    }
}
