package dev.sluice.reactor;

import dev.sluice.demultiplexer.EventType;
import dev.sluice.demultiplexer.Registration;
import dev.sluice.demultiplexer.SynchronousEventDemultiplexer;
import dev.sluice.handle.CloseListener;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.hook.HookFailure;
import dev.sluice.trace.DispatchTrace;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * A tuple of the {@link SharedTable}, and the attachment of its registration. One thread at a time is busy with it,
 * calling its hooks; changes that others make meanwhile, including ending it, count from that moment on. The set is
 * one-shot, so nobody is told of the handle while a thread is busy with it.
 */
final class SharedEntry implements CloseListener {

    private final SharedTable table;
    private final Handle handle;
    /** Changed under the locks of the table and of this object. */
    private volatile EventHandler handler;
    /** What hooks are called on: the handler, or what traces it. Changed with it. */
    private volatile EventHandler hooks;
    private final DispatchTrace trace;

    // Guarded by this object's lock, for which no thread waits long: no hook is called under it.

    private Registration registration;
    /** The events it is registered for, which the registration forgets when another thread closes the handle. */
    private int events;
    private boolean paused;
    private volatile boolean ended;
    /** Whether {@link EventHandler#handleClose} has been called, or is about to be. */
    private boolean told;
    /** Why it has ended, if somebody has to be told. */
    private Throwable failure;
    /** The thread that is calling a hook of the handle, this registration's or its predecessor's; null if none is. */
    private Thread busy;
    /** Whether the set is silent about the handle until the predecessor's last hook has returned. */
    private boolean withheld;

    /** The next registration of the same handle, which must wait for this one's hooks. Guarded by the table. */
    SharedEntry successor;

    SharedEntry(SharedTable table, Handle handle, EventHandler handler, DispatchTrace trace) {
        this.table = table;
        this.handle = handle;
        this.handler = handler;
        this.trace = trace;
        this.hooks = handler == null ? null : TracedHandler.of(handler, trace);
    }

    /** {@return one that has ended, and was never open: the calling thread is busy with it until it leaves} */
    static SharedEntry ended(SharedTable table, Handle handle) {
        SharedEntry entry = new SharedEntry(table, handle, null, null);
        entry.ended = true;
        entry.told = true;
        entry.busy = Thread.currentThread();
        return entry;
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

    /** {@return the thread that is calling a hook of the handle, or null} */
    synchronized Thread busy() {
        return busy;
    }

    /**
     * Registers the handle.
     *
     * @param demultiplexer whose set it enters
     * @param wanted        the events
     * @param busyBefore    the thread that is busy with its predecessor, for which it must wait; null if there is none
     */
    synchronized void open(SynchronousEventDemultiplexer demultiplexer, int wanted, Thread busyBefore)
            throws IOException {
        events = wanted;
        busy = busyBefore;
        withheld = busyBefore != null;
        try {
            handle.addCloseListener(this);
            registration = demultiplexer.register(handle, withheld ? 0 : wanted, this);
            if (withheld) {
                registration.deactivate();
                registration.setEvents(wanted);
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

    // Changes, by any thread

    /** Has another handler called from the next hook on. The set reports what is there when it is rearmed. */
    synchronized void handOver(EventHandler next) {
        handler = next;
        hooks = TracedHandler.of(next, trace);
    }

    /** {@return false if it has ended already} */
    synchronized boolean addEvents(int more) throws IOException {
        if (ended) {
            return false;
        }
        setEvents(events | more);
        return true;
    }

    void changeEvents(int wanted) {
        change(() -> setEvents(wanted));
    }

    private void setEvents(int wanted) throws IOException {
        try {
            registration.setEvents(wanted);
            events = wanted;
        } catch (IllegalStateException e) {
            if (registration.isValid()) {
                throw e;
            }
            // Another thread has closed the handle, and is about to end this.
            throw new HandleClosedException(handle);
        }
    }

    void setActive(boolean active) {
        change(() -> {
            paused = !active;
            if (!active) {
                registration.deactivate();
            } else if (!withheld) {
                registration.activate();
            }
        });
    }

    private interface Change {
        void apply() throws IOException;
    }

    private void change(Change change) {
        Throwable refusal;
        synchronized (this) {
            if (ended) {
                return;
            }
            try {
                change.apply();
                return;
            } catch (HandleClosedException e) {
                // As good as not registered.
                return;
            } catch (IOException | UncheckedIOException e) {
                refusal = e;
            }
        }
        end(refusal);
    }

    // Dispatching

    /** {@return how many hooks were called} */
    int dispatch(int ready) {
        if (!claim()) {
            return 0;
        }
        int count = 0;
        try {
            if (wants(ready & EventType.EXCEPTION)) {
                count++;
                hooks.handleException(handle);
            }
            // Output first: it makes room in the buffers that input would fill.
            if (wants(ready & EventType.WRITE)) {
                count++;
                hooks.handleOutput(handle);
            }
            if (wants(ready & EventType.READ)) {
                count++;
                hooks.handleInput(handle);
            }
        } catch (Throwable e) {
            table.hookFailed(this, e);
        } finally {
            release();
        }
        return count;
    }

    /** {@return whether the caller is now the thread that is busy with this; false if it has ended} */
    private synchronized boolean claim() {
        if (!ended) {
            assert busy == null : busy + " is busy with " + handle;
            busy = Thread.currentThread();
        }
        return !ended;
    }

    private boolean wants(int event) {
        return (registration.activeEvents() & event) != 0;
    }

    /** The last hook has returned, of this entry or of its predecessor. */
    private void release() {
        // Any number of successors may have ended before their turn.
        SharedEntry next = this;
        while (next != null) {
            next = next.takeTurn();
        }
    }

    /** {@return the entry whose turn it is now, null if this one goes on or is the last} */
    private SharedEntry takeTurn() {
        boolean tells;
        synchronized (this) {
            if (!ended && goOn()) {
                return null;
            }
            tells = !told;
            told = true;
            busy = Thread.currentThread();
        }
        if (tells) {
            tellOfEnd();
        }
        return table.leave(this);
    }

    /** {@return false if the system refuses, so that it has ended} */
    private boolean goOn() {
        try {
            registration.rearm();
            if (withheld) {
                withheld = false;
                if (!paused) {
                    registration.activate();
                }
            }
            // Whoever is told of the handle by now waits for the lock.
            busy = null;
            return true;
        } catch (Throwable e) {
            beginEnd(e);
            return false;
        }
    }

    /** Nobody is going to dispatch what the set has reported. */
    void giveBack() {
        change(registration::rearm);
    }

    // The end

    @Override
    public void handleClosing(Handle closing) {
        end(null);
    }

    /** A hook of this entry has failed. Called by the thread that is busy with it. */
    void fail(Throwable cause) {
        if (!end(cause)) {
            tell(cause);
        }
    }

    /**
     * Ends the registration, once. The handler is told by the thread that is busy with it, if there is one, when its
     * hook has returned; if that is the caller, or there is none, by the caller now.
     *
     * @param cause what the handler is to be told of first, or null
     * @return false if it has ended already
     */
    boolean end(Throwable cause) {
        return end(cause, null);
    }

    /** Ends the registration, unless it is with another handler. */
    void endIfServedBy(EventHandler expected) {
        end(null, expected);
    }

    private boolean end(Throwable cause, EventHandler expected) {
        boolean idle;
        synchronized (this) {
            if (ended || expected != null && handler != expected) {
                return false;
            }
            beginEnd(cause);
            idle = busy == null;
            if (!idle && busy != Thread.currentThread()) {
                return true;
            }
            told = true;
            busy = Thread.currentThread();
        }
        tellOfEnd();
        if (idle) {
            leave();
        }
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

    private void tellOfEnd() {
        if (failure != null) {
            tell(failure);
        }
        try {
            hooks.handleClose(handle, events);
        } catch (Throwable e) {
            tell(e);
        }
    }

    /** The thread that is busy with it is done: the next registration of the handle goes on. */
    void leave() {
        SharedEntry next = table.leave(this);
        if (next != null) {
            next.release();
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
