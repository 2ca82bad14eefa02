package dev.sluice.reactor;

import dev.sluice.demultiplexer.SynchronousEventDemultiplexer;
import dev.sluice.handle.Handle;
import dev.sluice.hook.HookFailure;
import dev.sluice.trace.DispatchTrace;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The table of a reactor that many threads run. Every change is made at once, by the thread that asks for it.
 *
 * <p>An entry stays until its last hook has returned. A handle that is registered anew before that gets its new entry
 * at once, but the new entry must wait for the old one: no two threads ever call hooks of one handle.
 */
final class SharedTable implements DemultiplexingTable {

    private final SynchronousEventDemultiplexer demultiplexer;
    /** Written under the lock of this object. */
    private final Map<Handle, SharedEntry> entries = new ConcurrentHashMap<>();
    private final DispatchTrace trace;
    private boolean closed;

    /**
     * Makes an empty one.
     *
     * @param demultiplexer whose handle set has the same handles
     * @param trace         records the calls of hooks; may be null
     */
    SharedTable(SynchronousEventDemultiplexer demultiplexer, DispatchTrace trace) {
        this.demultiplexer = demultiplexer;
        this.trace = trace;
    }

    @Override
    public synchronized void register(Handle handle, EventHandler handler, int events) throws IOException {
        if (closed) {
            throw new IllegalStateException("reactor on " + demultiplexer.name() + " is closed");
        }
        SharedEntry before = entries.get(handle);
        if (before != null && before.handler() != handler && !before.isEnded()) {
            throw new IllegalStateException(handle + " cannot be registered with " + handler
                    + ", it is registered with " + before.handler() + " already");
        }
        if (before == null || before.handler() != handler || !before.addEvents(events)) {
            add(new SharedEntry(this, handle, handler, trace), events, before);
        }
    }

    private void add(SharedEntry entry, int events, SharedEntry predecessor) throws IOException {
        Thread busy = predecessor == null ? null : predecessor.busy();
        // Its first event may come at once, and its hook must find the entry: a dispatch begins by taking this lock.
        synchronized (entry) {
            // First of all, because it may fail for want of memory.
            entries.put(entry.handle(), entry);
            boolean opened = false;
            try {
                entry.open(demultiplexer, events, busy);
                opened = true;
            } finally {
                if (!opened) {
                    putBack(entry, predecessor);
                }
            }
            if (predecessor != null) {
                predecessor.successor = entry;
            }
        }
    }

    private void putBack(SharedEntry entry, SharedEntry predecessor) {
        if (predecessor == null) {
            entries.remove(entry.handle(), entry);
        } else {
            entries.put(entry.handle(), predecessor);
        }
    }

    @Override
    public synchronized void handOver(Handle handle, EventHandler from, EventHandler to) {
        SharedEntry entry = find(handle);
        if (entry == null || entry.handler() != from) {
            throw new IllegalStateException(handle + " is not registered with " + from);
        }
        entry.handOver(to);
    }

    private SharedEntry find(Handle handle) {
        SharedEntry entry = entries.get(handle);
        return entry == null || entry.isEnded() ? null : entry;
    }

    @Override
    public boolean contains(Handle handle) {
        return find(handle) != null;
    }

    @Override
    public void remove(Handle handle) {
        SharedEntry entry = find(handle);
        if (entry != null) {
            entry.end(null);
        }
    }

    @Override
    public void remove(Handle handle, EventHandler handler) {
        SharedEntry entry = find(handle);
        if (entry != null) {
            entry.endIfServedBy(handler);
        }
    }

    @Override
    public boolean callFirst(Handle handle, Runnable hook) {
        SharedEntry first = SharedEntry.ended(this, handle);
        SharedEntry before = putIfAbsent(first);
        boolean registered = before != null && !before.isEnded();
        try {
            hook.run();
            return registered || hasSuccessor(before == null ? first : before);
        } finally {
            if (before == null) {
                first.leave();
            }
        }
    }

    private synchronized SharedEntry putIfAbsent(SharedEntry entry) {
        return entries.putIfAbsent(entry.handle(), entry);
    }

    private synchronized boolean hasSuccessor(SharedEntry entry) {
        return entry.successor != null;
    }

    @Override
    public void change(Handle handle, int events) {
        SharedEntry entry = find(handle);
        if (entry != null) {
            entry.changeEvents(events);
        }
    }

    @Override
    public void setActive(Handle handle, boolean active) {
        SharedEntry entry = find(handle);
        if (entry != null) {
            entry.setActive(active);
        }
    }

    /**
     * Ends the registration of the handle that a hook's failure concerns: its own, unless the failure names another
     * handle of this table.
     */
    void hookFailed(SharedEntry entry, Throwable cause) {
        Handle handle = HookFailure.handle(cause);
        SharedEntry named = handle == null ? null : find(handle);
        if (named == null || named == entry || !named.end(cause)) {
            entry.fail(cause);
        }
    }

    /** {@return the entry whose turn it is now that another's last hook has returned, or null} */
    synchronized SharedEntry leave(SharedEntry entry) {
        if (entry.successor == null) {
            entries.remove(entry.handle(), entry);
        }
        return entry.successor;
    }

    @Override
    public void endAll() {
        endEach();
        synchronized (this) {
            closed = true;
        }
        endEach();
    }

    private void endEach() {
        entries.values().forEach(entry -> entry.end(null));
    }
}
