package dev.sluice.dispatch;

import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Trigger;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.reactor.Dispatcher;
import dev.sluice.reactor.EventHandler;
import dev.sluice.trace.DispatchTrace;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Which handler serves which handle, and for which events: the papers' demultiplexing table (Reactor paper,
 * implementation activity 3.3). It finds the entry of a handle that a caller names. An event does not find its handler
 * through this table: an entry is its registration's attachment.
 *
 * <p>An entry stays in the table until its last hook has returned. A handle that is registered again before that gets
 * its new entry immediately, which waits for the hooks of the earlier one ({@link HandlerEntry}).
 *
 * <p>A table is used by several threads, and then has a lock, or by one thread at a time, and then has none, and each
 * access asserts that it is confined. No hook is called under the lock.
 */
public final class HandlerTable {

    private final Dispatcher owner;
    private final SynchronousEventDemultiplexer demultiplexer;
    private final Trigger trigger;
    private final CloseTiming closeTiming;
    /** Which thread may use the table; null if it has a lock for that. */
    private final Confinement confinement;
    /** Null if one thread at a time uses the table. */
    private final ReentrantLock guard;
    /** The last entry of each handle. Written under the guard. */
    private final Map<Handle, HandlerEntry> entries = new ConcurrentHashMap<>();
    // Under the guard
    private DispatchTrace trace;
    private boolean closed;

    /**
     * Creates an empty table. If several threads use it at once, every change is made at once, by the calling thread.
     *
     * @param owner         what its registrations are registered with
     * @param demultiplexer whose handle set has the same handles
     * @param closeTiming   when handlers that end their own registrations are notified of it
     * @param trace         records the calls of hooks; null for none
     * @param confinement   which thread may use it; null if several threads use it at once
     */
    public HandlerTable(Dispatcher owner, SynchronousEventDemultiplexer demultiplexer, CloseTiming closeTiming,
            DispatchTrace trace, Confinement confinement) {
        this.owner = owner;
        this.demultiplexer = demultiplexer;
        this.trigger = demultiplexer.trigger();
        this.closeTiming = closeTiming;
        this.confinement = confinement;
        this.guard = newGuard();
        this.trace = trace;
        FailedHook.prepare();
    }

    /** {@return a lock for an entry; null if one thread at a time uses the table} */
    ReentrantLock newGuard() {
        return confinement == null ? new Guard() : null;
    }

    /** {@return whether several threads use the table at once} */
    boolean isShared() {
        return guard != null;
    }

    boolean isConfined() {
        return confinement.isConfined();
    }

    Dispatcher owner() {
        return owner;
    }

    /** {@return whether the caller may use the table at once} */
    boolean mayUse() {
        return confinement == null || confinement.isInside();
    }

    /** Makes a change at once if the caller may, and otherwise has the loop thread make it. */
    void performOrEnqueue(Runnable change) {
        if (confinement == null) {
            change.run();
        } else {
            confinement.performOrEnqueue(change);
        }
    }

    /** {@return whether a change was made, at once, since the caller may} */
    boolean perform(Confinement.Change change) throws IOException {
        if (confinement == null) {
            change.make();
            return true;
        }
        return confinement.perform(change);
    }

    private void lock() {
        if (guard == null) {
            assert isConfined();
        } else {
            guard.lock();
        }
    }

    private void unlock() {
        if (guard != null) {
            guard.unlock();
        }
    }

    Trigger trigger() {
        return trigger;
    }

    CloseTiming closeTiming() {
        return closeTiming;
    }

    DispatchTrace trace() {
        return trace;
    }

    /**
     * {@return whether the set has to be asked after a dispatch to report the handle again} Only the thread of a
     * single-threaded reactor takes a handler at its word that it drains the handle.
     */
    boolean rearms(EventHandler handler) {
        return trigger == Trigger.ONE_SHOT || trigger == Trigger.EDGE && (isShared() || !handler.drains());
    }

    /**
     * Records the calls of hooks from now on, also of handlers that are already registered.
     *
     * @param recording records them; null for none
     */
    public void recordTo(DispatchTrace recording) {
        lock();
        try {
            trace = recording;
            for (HandlerEntry each : entries.values()) {
                each.recordTo(recording);
            }
        } finally {
            unlock();
        }
    }

    // Registration

    /**
     * Registers a handle with the handler of an entry, unless that has been ended by now.
     *
     * @param entry made for this table
     * @throws IllegalStateException if the handle is registered already, or no registrations are accepted any more
     * @throws IOException           if the handle is closed, or the mechanism cannot take it
     */
    public void register(HandlerEntry entry) throws IOException {
        lock();
        try {
            if (!entry.isOpen()) {
                return;
            }
            if (closed) {
                throw new IllegalStateException("register: " + owner + " is closed; open another one");
            }
            HandlerEntry before = entries.get(entry.handle);
            if (before != null && before.isOpen()) {
                if (!entry.handle.isOpen()) {
                    // Another thread has just closed it, and ends this.
                    throw new HandleClosedException(entry.handle);
                }
                throw new IllegalStateException("register: " + entry.handle + " is registered with " + owner
                        + " already, for " + before.handler + "; close that registration, or use its handOver for "
                        + entry.handler);
            }
            add(entry, before);
        } finally {
            unlock();
        }
        entry.endIfClosedMeanwhile();
    }

    /** As {@link #register}, for another thread: the handler is notified of what that throws. */
    public void registerForOther(HandlerEntry entry) {
        try {
            register(entry);
        } catch (Throwable e) {
            entry.ended = true;
            IdleTimeout begun = entry.idleTimeout;
            if (begun != null) {
                begun.end();
            }
            entry.notice.report(entry, e);
        }
    }

    private void add(HandlerEntry entry, HandlerEntry predecessor) throws IOException {
        if (predecessor != null) {
            entry.awaitEndOf(predecessor);
        }
        // Its first event may come at once, and its hook must find the entry: a dispatch begins by taking this lock.
        entry.lock();
        try {
            // First, because it may throw an OutOfMemoryError.
            entries.put(entry.handle, entry);
            boolean opened = false;
            try {
                entry.open(demultiplexer);
                opened = true;
            } finally {
                if (!opened) {
                    putBack(entry, predecessor);
                }
            }
            if (predecessor != null) {
                predecessor.successor = entry;
            }
        } finally {
            entry.unlock();
        }
    }

    private void putBack(HandlerEntry entry, HandlerEntry predecessor) {
        if (predecessor == null) {
            entries.remove(entry.handle, entry);
        } else {
            entries.put(entry.handle, predecessor);
        }
    }

    /**
     * Calls something before all hooks of a handle: if it registers the handle, the first hook is called when it has
     * returned, as if it had been a hook itself. If the handle is registered already, or the hook is running that its
     * last registration has ended in, it is simply called. Where one thread at a time uses the table, hooks that it
     * causes by running the loop are called nevertheless.
     *
     * @param handle the handle
     * @param hook   called once, by the calling thread
     * @return whether the handle is registered, or was in the meantime: if so, {@link EventHandler#handleClose} has
     *         been called for it, or will be
     * @throws IllegalStateException if the caller must be the loop thread, and is not
     */
    public boolean callFirst(Handle handle, Runnable hook) {
        if (!mayUse()) {
            throw new IllegalStateException("serve: only the loop thread of " + owner
                    + " may call this; use its execute(...); " + handle);
        }
        HandlerEntry first = new HandlerEntry(this, handle);
        HandlerEntry before = putIfAbsent(first);
        boolean registered = before != null && before.isOpen();
        try {
            hook.run();
            return registered || hasSuccessor(before == null ? first : before);
        } finally {
            if (before == null) {
                leave(first);
            }
        }
    }

    private HandlerEntry putIfAbsent(HandlerEntry entry) {
        lock();
        try {
            return entries.putIfAbsent(entry.handle, entry);
        } finally {
            unlock();
        }
    }

    private boolean hasSuccessor(HandlerEntry entry) {
        lock();
        try {
            return entry.successor != null;
        } finally {
            unlock();
        }
    }

    /** The last hook of an entry has returned: the next one proceeds, past any that have ended before their turn. */
    void leave(HandlerEntry entry) {
        HandlerEntry next = remove(entry);
        while (next != null && next.endsAfterPredecessor()) {
            next = remove(next);
        }
    }

    /** {@return the next entry of the handle, or null} */
    private HandlerEntry remove(HandlerEntry entry) {
        lock();
        try {
            if (entry.successor == null) {
                entries.remove(entry.handle, entry);
            }
            return entry.successor;
        } finally {
            unlock();
        }
    }

    /**
     * Finds the last entry of a handle.
     *
     * @param handle the handle
     * @return its entry, which may have ended; null if there is none
     */
    public HandlerEntry find(Handle handle) {
        assert isShared() || isConfined();
        return entries.get(handle);
    }

    // The end

    /**
     * Ends all registrations, including those that handlers make in the meantime. When those that were there at first
     * have ended, no more are accepted, so handlers that always register again do not keep it from returning. No thread
     * runs the loop any more.
     */
    public void endAll() {
        endEach();
        close();
    }

    /**
     * Accepts no more registrations, and ends all that are there; those whose hooks run end when these have returned.
     */
    public void close() {
        lock();
        closed = true;
        unlock();
        endEach();
    }

    private void endEach() {
        for (HandlerEntry each : entries.values()) {
            each.end(null);
        }
    }
}
