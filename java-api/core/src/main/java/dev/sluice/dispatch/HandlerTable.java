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
 * The papers' demultiplexing table (Reactor paper, implementation activity 3.3), which maps handles to their handlers.
 * It is used to find the entry of a given handle. Events are dispatched without it, because an entry is the attachment
 * of its registration.
 *
 * <p>An entry stays in the table until its last hook has returned. A handle that is registered again before that gets
 * its new entry immediately, which waits for the hooks of the earlier one ({@link HandlerEntry}).
 *
 * <p>A table that several threads use has a lock. A table that one thread at a time uses has none, and each access
 * asserts that it is confined. No hook is called under the lock.
 */
public final class HandlerTable {

    private final Dispatcher owner;
    private final SynchronousEventDemultiplexer demultiplexer;
    private final Trigger trigger;
    private final CloseTiming closeTiming;
    /** The rule that determines which thread may use the table; null if it has a lock. */
    private final Confinement confinement;
    /** The lock; null if one thread at a time uses the table. */
    private final ReentrantLock guard;
    /** The latest entry of each handle. Written under the guard. */
    private final Map<Handle, HandlerEntry> entries = new ConcurrentHashMap<>();
    // Accessed under the guard
    private DispatchTrace trace;
    private boolean closed;

    /**
     * Creates an empty table. If several threads use it, all changes are made immediately, by the calling thread.
     *
     * @param owner         the dispatcher of the registrations
     * @param demultiplexer the demultiplexer whose handle set has the same handles
     * @param closeTiming   the time at which a handler that ends its own registration is notified
     * @param trace         records the calls of hooks; null for none
     * @param confinement   determines which thread may use the table; null if several threads use it
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

    /** {@return whether several threads use the table} */
    boolean isShared() {
        return guard != null;
    }

    boolean isConfined() {
        return confinement.isConfined();
    }

    Dispatcher owner() {
        return owner;
    }

    /** {@return whether the caller may use the table now} */
    boolean mayUse() {
        return confinement == null || confinement.isInside();
    }

    /** Makes a change immediately if the caller may, and otherwise enqueues it for the loop thread. */
    void performOrEnqueue(Runnable change) {
        if (confinement == null) {
            change.run();
        } else {
            confinement.performOrEnqueue(change);
        }
    }

    /** Makes a change if the caller may. Returns whether it was made. */
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
     * {@return whether the set must be rearmed after a dispatch to report the handle again} Only a single-threaded
     * reactor relies on a handler that declares that it drains the handle.
     */
    boolean rearms(EventHandler handler) {
        return trigger == Trigger.ONE_SHOT || trigger == Trigger.EDGE && (isShared() || !handler.drains());
    }

    /**
     * Records the calls of hooks from now on, including those of handlers that are already registered.
     *
     * @param recording the trace; null for none
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
     * Registers a handle with the handler of an entry, unless the entry has already ended.
     *
     * @param entry the entry, created for this table
     * @throws IllegalStateException if the handle is already registered, or the table is closed
     * @throws IOException           if the handle is closed, or the mechanism does not support it
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
                    // Another thread has just closed the handle, and is ending that registration.
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
        entry.endIfClosed();
    }

    /** As {@link #register}, on behalf of another thread: the handler is notified of a failure. */
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
        // The first event may occur immediately, and its hook must find the entry in the table. A dispatch waits for
        // this lock.
        entry.lock();
        try {
            // Before the registration, because it may throw an OutOfMemoryError.
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
     * Calls a function before all hooks of a handle: if it registers the handle, the first hook is called after it has
     * returned, as if the function were a hook itself. If the handle is already registered, or the hook in which its
     * last registration has ended is still running, the function is called without that guarantee. The same applies to
     * hooks that the function causes by running the loop, if one thread at a time uses the table.
     *
     * @param handle the handle
     * @param hook   the function, called once, by the calling thread
     * @return whether the handle is or has been registered, so that {@link EventHandler#handleClose} has been or will
     *         be called
     * @throws IllegalStateException if there is a loop thread, and the caller is another thread
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

    /**
     * Called when the last hook of an entry has returned. Removes it, and makes the next entry of the handle proceed
     * that has not ended.
     */
    void leave(HandlerEntry entry) {
        HandlerEntry next = remove(entry);
        while (next != null && next.endsAfterPredecessor()) {
            next = remove(next);
        }
    }

    /** Removes an entry. Returns the next entry of the handle, or null. */
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
     * Returns the latest entry of a handle.
     *
     * @param handle the handle
     * @return its entry, which may have ended; null if there is none
     */
    public HandlerEntry find(Handle handle) {
        assert isShared() || isConfined();
        return entries.get(handle);
    }

    // Closing

    /**
     * Ends all registrations, including those that handlers make in the meantime. After the initial ones have ended, no
     * more are accepted, so handlers that always register again cannot prevent this method from returning. Called when
     * no thread runs the loop any more.
     */
    public void endAll() {
        endEach();
        close();
    }

    /**
     * Rejects new registrations, and ends all existing ones. Handlers whose hooks are running are notified when these
     * have returned.
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
