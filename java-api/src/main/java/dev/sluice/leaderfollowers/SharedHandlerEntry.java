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
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * A tuple of the {@link SharedDemultiplexingTable}, and the attachment of its registration. One thread at a time is
 * busy with it, dispatching its events or its end; changes that others make meanwhile, including ending it, count from
 * that moment on.
 */
final class SharedHandlerEntry implements PendingEvent, CloseListener {

    private final SharedDemultiplexingTable table;
    private final Handle handle;
    private final EventHandler handler;
    private final Promotion promotion;

    // Guarded by this object's lock, for which no thread waits long: no hook is called under it.

    private Registration registration;
    private boolean oneShot;
    private volatile int events;
    private volatile boolean silent;
    private volatile boolean ended;
    private boolean busy;
    private Throwable failure;

    /** What it is ready for. Used by the thread that is busy with it. */
    private int ready;
    /** The next registration of the same handle, which must wait for this one to end. Guarded by the table. */
    SharedHandlerEntry successor;

    SharedHandlerEntry(SharedDemultiplexingTable table, Handle handle, EventHandler handler, Promotion promotion) {
        this.table = table;
        this.handle = handle;
        this.handler = handler;
        this.promotion = promotion;
    }

    Handle handle() {
        return handle;
    }

    EventHandler handler() {
        return handler;
    }

    boolean isEnded() {
        return ended;
    }

    /** Registers the handle. With a predecessor, nothing is dispatched before {@link #release()}. */
    synchronized void open(SynchronousEventDemultiplexer demultiplexer, int wanted, boolean hasPredecessor)
            throws IOException {
        oneShot = demultiplexer.trigger() == Trigger.ONE_SHOT;
        busy = hasPredecessor;
        events = wanted;
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

    /** {@return false if it has ended already} */
    synchronized boolean addEvents(int more) throws IOException {
        if (ended) {
            return false;
        }
        if (!registration.isValid()) {
            throw new HandleClosedException(handle);
        }
        setEvents(events | more);
        return true;
    }

    void changeEvents(int wanted) {
        change(() -> setEvents(wanted));
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

    void silence() {
        change(() -> {
            silent = true;
            registration.deactivate();
        });
    }

    void unsilence() {
        change(() -> {
            silent = false;
            if (!busy || oneShot) {
                registration.activate();
            }
        });
    }

    private interface Change {
        void apply() throws IOException;
    }

    /**
     * Decides and acts under the lock; if that ends the registration, the end is dispatched when no thread is busy with
     * this.
     */
    private void change(Change change) {
        synchronized (this) {
            if (ended) {
                return;
            }
            try {
                change.apply();
            } catch (IOException | UncheckedIOException e) {
                beginEnd(e);
            }
            if (!ended || busy) {
                return;
            }
            busy = true;
        }
        dispatchEnd();
    }

    // Dispatching

    /**
     * Makes the caller the thread that is busy with this entry.
     *
     * @param reported what it is ready for
     * @return false if another thread is, or if there is nothing to do; then it will be reported again if need be
     */
    synchronized boolean claim(int reported) {
        // A one-shot registration must be rearmed even if none of the events it reported is wanted any more.
        if (busy || ended || reported == 0 && !oneShot) {
            return false;
        }
        busy = true;
        ready = reported;
        return true;
    }

    @Override
    public Promotion promotion() {
        return promotion;
    }

    @Override
    public boolean isBound() {
        return handler instanceof BoundEventHandler;
    }

    @Override
    public void deactivate() {
        // A one-shot registration is quiet already.
        if (!oneShot) {
            try {
                registration.deactivate();
            } catch (IOException | UncheckedIOException e) {
                end(e);
            }
        }
    }

    @Override
    public void process() {
        try {
            if (wants(EventType.EXCEPTION)) {
                handler.handleException(handle);
            }
            // Output first: it makes room in the buffers that input would fill.
            if (wants(EventType.WRITE)) {
                handler.handleOutput(handle);
            }
            if (wants(EventType.READ)) {
                handler.handleInput(handle);
            }
        } catch (Throwable e) {
            failedOn(e).end(e);
        } finally {
            release();
        }
    }

    /** {@return the entry of the handle that a failure of this one's hook names, if there is one; else this} */
    private SharedHandlerEntry failedOn(Throwable cause) {
        Handle named = HookFailure.handle(cause);
        SharedHandlerEntry other = named == null || named == handle ? null : table.find(named);
        return other == null ? this : other;
    }

    private boolean wants(int event) {
        return (ready & events & event) != 0 && !silent && !ended;
    }

    /** The caller is no longer busy with this entry. */
    void release() {
        if (isOver()) {
            dispatchEnd();
        }
    }

    private synchronized boolean isOver() {
        if (!ended) {
            try {
                registration.rearm();
                if (!silent) {
                    registration.activate();
                }
                busy = false;
            } catch (IOException | UncheckedIOException e) {
                beginEnd(e);
            }
        }
        return ended;
    }

    // The end

    @Override
    public void handleClosing(Handle closing) {
        end(null);
    }

    /** Ends the registration, once. The handler is told when no thread is busy with this entry. */
    void end(Throwable cause) {
        change(() -> beginEnd(cause));
    }

    private void beginEnd(Throwable cause) {
        ended = true;
        failure = cause;
        try {
            registration.remove();
        } catch (UncheckedIOException e) {
            // The system refuses to wake the waiter: the handle will be out of the set when the waiter looks again.
            if (cause == null) {
                failure = e;
            } else {
                cause.addSuppressed(e);
            }
        }
        handle.removeCloseListener(this);
    }

    private void dispatchEnd() {
        try {
            if (failure != null) {
                tell(failure);
            }
            handler.handleClose(handle, events);
        } catch (Throwable e) {
            tell(e);
        } finally {
            SharedHandlerEntry next = table.leave(this);
            if (next != null) {
                next.release();
            }
        }
    }

    private void tell(Throwable cause) {
        try {
            handler.handleFailure(handle, cause);
        } catch (Throwable e) {
            HookFailure.untold(handler, cause, e);
        }
    }
}
