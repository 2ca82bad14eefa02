package dev.sluice.leaderfollowers;

import dev.sluice.demultiplexer.EventType;
import dev.sluice.demultiplexer.Registration;
import dev.sluice.demultiplexer.SynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.Trigger;
import dev.sluice.handle.CloseListener;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.hook.HookFailure;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.TracedHandler;
import dev.sluice.trace.DispatchTrace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A tuple of the {@link SharedDemultiplexingTable}, and the attachment of its registration. The type of its handle says
 * how many threads may be busy dispatching its events; its end is dispatched by one thread, when no other is busy with
 * it. Changes that others make meanwhile, including ending it, count from that moment on.
 */
abstract class SharedHandlerEntry implements CloseListener {

    private final SharedDemultiplexingTable table;
    private final Handle handle;
    /** Changed under the locks of the table and of this object. */
    private volatile EventHandler handler;
    private final Promotion promotion;

    // Guarded by this object's lock, for which no thread waits long: no hook is called under it.

    private Registration registration;
    /** What hooks are called on: the handler, or what traces it. Changed with it. */
    private volatile EventHandler hooks;
    private Trigger trigger;
    private volatile int events;
    private volatile boolean silent;
    private volatile boolean ended;
    /** How many threads are busy with it. It counts one until its predecessor has ended. */
    private int busy;
    /** Why it has ended, or what a hook has thrown that was still running then; null if there is neither. */
    private Throwable failure;
    /** What further hooks have thrown; null, as almost always, if none has. */
    private List<Throwable> furtherFailures;

    /** The next registration of the same handle, which must wait for this one to end. Guarded by the table. */
    SharedHandlerEntry successor;

    /** {@return an entry that is not open yet, of the type of handle that the handler says it has} */
    static SharedHandlerEntry of(SharedDemultiplexingTable table, Handle handle, EventHandler handler,
            Promotion promotion) {
        return handler.isConcurrent() ? new ConcurrentHandlerEntry(table, handle, handler, promotion)
                : new IterativeHandlerEntry(table, handle, handler, promotion);
    }

    /** {@return one that has ended, and was never open: the caller is busy with it until it leaves} */
    static SharedHandlerEntry ended(SharedDemultiplexingTable table, Handle handle) {
        SharedHandlerEntry entry = new IterativeHandlerEntry(table, handle, null, Promotion.BEFORE_DISPATCH);
        entry.ended = true;
        entry.busy = 1;
        return entry;
    }

    SharedHandlerEntry(SharedDemultiplexingTable table, Handle handle, EventHandler handler, Promotion promotion) {
        this.table = table;
        this.handle = handle;
        this.handler = handler;
        this.hooks = handler;
        this.promotion = promotion;
    }

    final Handle handle() {
        return handle;
    }

    final EventHandler handler() {
        return handler;
    }

    /** {@return who promotes a new leader when one of its events is dispatched} */
    public final Promotion promotion() {
        return promotion;
    }

    /** {@return whether its events are bound: threads wait for responses that they bring} */
    public final boolean isBound() {
        return handler instanceof BoundEventHandler;
    }

    final boolean isEnded() {
        return ended;
    }

    /** Has the calls of its hooks recorded, unless the trace is null. */
    final synchronized void recordTo(DispatchTrace trace) {
        hooks = TracedHandler.of(handler, trace);
    }

    final Registration registration() {
        return registration;
    }

    /** {@return when the handle set reports a handle that is ready} */
    final Trigger trigger() {
        return trigger;
    }

    /** Registers the handle. With a predecessor, nothing is dispatched before {@link #predecessorHasEnded()}. */
    final synchronized void open(SynchronousEventDemultiplexer demultiplexer, int wanted, boolean hasPredecessor)
            throws IOException {
        trigger = demultiplexer.trigger();
        events = wanted;
        if (hasPredecessor) {
            busy = 1;
            awaitPredecessor();
        }
        try {
            handle.addCloseListener(this);
            registration = demultiplexer.register(handle, hasPredecessor ? 0 : wanted, this);
            if (hasPredecessor) {
                registration.deactivate();
                setEvents(wanted);
            }
        } catch (Throwable e) {
            ended = true;
            if (registration != null) {
                registration.remove();
            }
            handle.removeCloseListener(this);
            throw e;
        }
    }

    // What changes from any thread

    /**
     * Has another handler called from the next hook on. The thread that is busy with this has the set report again what
     * is there.
     */
    final synchronized void handOver(EventHandler next, DispatchTrace trace) {
        if (next.isConcurrent() != isConcurrent()) {
            throw new IllegalArgumentException(handler + " cannot hand over " + handle + " to " + next
                    + ": only one of them says that it is a concurrent handle");
        }
        handler = next;
        hooks = TracedHandler.of(next, trace);
    }

    /** {@return whether any number of threads may be busy with it at once} */
    abstract boolean isConcurrent();

    /** {@return false if it has ended already} */
    final synchronized boolean addEvents(int more) throws IOException {
        if (ended) {
            return false;
        }
        if (!registration.isValid()) {
            throw new HandleClosedException(handle);
        }
        setEvents(events | more);
        return true;
    }

    final void changeEvents(int wanted) {
        change(changing -> setEvents(wanted));
    }

    private void setEvents(int wanted) throws IOException {
        if (registration.isValid()) {
            events = wanted;
            try {
                registration.setEvents(wanted);
            } catch (IllegalStateException e) {
                if (registration.isValid()) {
                    throw e;
                }
                // The handle was closed by another thread, which is about to end this entry.
            }
        }
    }

    final void silence() {
        change(changing -> {
            silent = true;
            changing.deactivate();
        });
    }

    final void unsilence() {
        change(changing -> {
            silent = false;
            if (mayBeActive()) {
                changing.activate();
            }
        });
    }

    /** {@return whether the handle may be active if nobody has silenced it; asked with the lock held} */
    abstract boolean mayBeActive();

    /** {@return how many threads are busy with it; asked with the lock held} */
    final int busy() {
        return busy;
    }

    /** A change of the registration, which the system may refuse. */
    interface Change {
        void apply(Registration registration) throws IOException;
    }

    /**
     * Decides and acts under the lock; if that ends the registration, the end is dispatched when no thread is busy with
     * this.
     */
    final void change(Change change) {
        synchronized (this) {
            if (ended) {
                return;
            }
            try {
                change.apply(registration);
            } catch (IOException | UncheckedIOException e) {
                beginEnd(e);
            }
            if (!ended || busy > 0) {
                return;
            }
            busy++;
        }
        dispatchEnds();
    }

    // Dispatching

    /**
     * Makes the caller one of the threads that are busy with this entry.
     *
     * @param reported what it is ready for
     * @return what to dispatch; null if there is nothing, and then it will be reported again if need be
     */
    abstract PendingEvent claim(int reported);

    /**
     * Counts the caller as busy.
     *
     * @param reported what the handle is ready for
     * @return false if there is nothing to do
     */
    final boolean occupy(int reported) {
        assert Thread.holdsLock(this);
        // A one-shot registration must be rearmed even if none of the events it reported is wanted any more.
        if (ended || reported == 0 && trigger != Trigger.ONE_SHOT) {
            return false;
        }
        busy++;
        return true;
    }

    /** Calls the hooks for the events that are still wanted. What they throw ends a registration. */
    final void callHooks(int ready) {
        try {
            if (wants(ready, EventType.EXCEPTION)) {
                hooks.handleException(handle);
            }
            // Output first: it makes room in the buffers that input would fill.
            if (wants(ready, EventType.WRITE)) {
                hooks.handleOutput(handle);
            }
            if (wants(ready, EventType.READ)) {
                hooks.handleInput(handle);
            }
        } catch (Throwable e) {
            hookFailed(e);
        }
    }

    /** Ends the registration of the handle that the failure names, if that is another one of the table; else this. */
    private void hookFailed(Throwable cause) {
        Handle named = HookFailure.handle(cause);
        SharedHandlerEntry other = named == null || named == handle ? null : table.find(named);
        if (other == null || !other.end(cause)) {
            fail(cause);
        }
    }

    /** Called by a thread that is busy with this, so that its end, if it has ended, has not been dispatched yet. */
    private synchronized void fail(Throwable cause) {
        if (!ended) {
            beginEnd(cause);
        } else if (failure == null) {
            failure = cause;
        } else {
            addFurther(cause);
        }
    }

    private void addFurther(Throwable cause) {
        try {
            if (furtherFailures == null) {
                furtherFailures = new ArrayList<>();
            }
            furtherFailures.add(cause);
        } catch (OutOfMemoryError e) {
            HookFailure.untold(handler, cause, e);
        }
    }

    private boolean wants(int ready, int event) {
        return (ready & events & event) != 0 && !silent && !ended;
    }

    /**
     * The caller is no longer busy with this entry.
     *
     * @param rearms whether the handle must be rearmed because of what the caller was busy with
     */
    final void release(boolean rearms) {
        if (endTurn(rearms)) {
            dispatchEnds();
        }
    }

    /** {@return whether it has ended and the caller was the last who was busy with it} */
    final synchronized boolean endTurn(boolean rearms) {
        busy--;
        if (!ended) {
            try {
                if (rearms) {
                    registration.rearm();
                }
                if (!silent && mayBeActive()) {
                    registration.activate();
                }
            } catch (IOException | RuntimeException | Error e) {
                // Nobody would ever be told of the handle again.
                beginEnd(e);
            }
        }
        return ended && busy == 0;
    }

    /** Called under the lock when this is opened while an earlier registration of the handle has not ended. */
    void awaitPredecessor() {
    }

    /**
     * The handle's registration before this one has ended, so that this one's events may be dispatched.
     *
     * @return whether this one has ended, too, and the caller has to dispatch that
     */
    abstract boolean predecessorHasEnded();

    // The end

    @Override
    public final void handleClosing(Handle closing) {
        end(null);
    }

    /**
     * Ends the registration, once. The handler is told when no thread is busy with this entry.
     *
     * @param cause what the handler is to be told of first, or null
     * @return false if it has ended already
     */
    final boolean end(Throwable cause) {
        return end(cause, null);
    }

    /** Ends the registration, unless it is with another handler. */
    final void endIfServedBy(EventHandler expected) {
        end(null, expected);
    }

    private boolean end(Throwable cause, EventHandler expected) {
        synchronized (this) {
            if (ended || expected != null && handler != expected) {
                return false;
            }
            beginEnd(cause);
            if (busy > 0) {
                return true;
            }
            busy++;
        }
        dispatchEnds();
        return true;
    }

    private void beginEnd(Throwable cause) {
        ended = true;
        failure = cause;
        try {
            handle.removeCloseListener(this);
            registration.remove();
        } catch (RuntimeException | Error e) {
            // The handler must still let go of the handle.
            if (cause == null) {
                failure = e;
            } else if (cause != e) {
                cause.addSuppressed(e);
            }
        }
    }

    private void dispatchEnds() {
        dispatchEnd();
        leave();
    }

    /**
     * The last thread that was busy with it is done: the next registration of the handle goes on, past any number that
     * have ended before their turn.
     */
    final void leave() {
        SharedHandlerEntry next = table.leave(this);
        while (next != null && next.predecessorHasEnded()) {
            next.dispatchEnd();
            next = table.leave(next);
        }
    }

    private void dispatchEnd() {
        try {
            if (failure != null) {
                tell(failure);
            }
            for (int i = 0; furtherFailures != null && i < furtherFailures.size(); i++) {
                tell(furtherFailures.get(i));
            }
            hooks.handleClose(handle, events);
        } catch (Throwable e) {
            tell(e);
        }
    }

    private void tell(Throwable cause) {
        try {
            hooks.handleFailure(handle, cause);
        } catch (Throwable e) {
            HookFailure.untold(handler, cause, e);
        }
    }
}
