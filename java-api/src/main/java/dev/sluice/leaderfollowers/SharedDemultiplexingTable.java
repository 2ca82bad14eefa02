package dev.sluice.leaderfollowers;

import dev.sluice.demultiplexer.SynchronousEventDemultiplexer;
import dev.sluice.handle.Handle;
import dev.sluice.reactor.EventHandler;
import dev.sluice.trace.DispatchTrace;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which handler serves which handle: a demultiplexing table for any number of threads. An event does not find its
 * handler through this table: an entry is its registration's attachment.
 *
 * <p>An entry stays until its end has been dispatched. A handle that is registered anew before that gets its new entry
 * at once, but the new entry must wait for the old one: no two threads are ever busy with one handle, unless the
 * handler says that it is a concurrent one.
 */
final class SharedDemultiplexingTable {

    private final SynchronousEventDemultiplexer demultiplexer;
    /** Written under the lock of this object. */
    private final Map<Handle, SharedHandlerEntry> entries = new ConcurrentHashMap<>();
    private DispatchTrace trace;
    private boolean closed;

    SharedDemultiplexingTable(SynchronousEventDemultiplexer demultiplexer) {
        this.demultiplexer = demultiplexer;
    }

    synchronized void register(Handle handle, EventHandler handler, int events, Promotion promotion)
            throws IOException {
        if (closed) {
            throw new IllegalStateException("the handle set on " + demultiplexer.name() + " is closed");
        }
        SharedHandlerEntry before = entries.get(handle);
        if (before != null && before.handler() != handler && !before.isEnded()) {
            throw new IllegalStateException(handle + " cannot be registered with " + handler
                    + ", it is registered with " + before.handler() + " already");
        }
        if (before == null || before.handler() != handler || !before.addEvents(events)) {
            SharedHandlerEntry entry = SharedHandlerEntry.of(this, handle, handler, promotion);
            entry.recordTo(trace);
            add(entry, events, before);
        }
    }

    private void add(SharedHandlerEntry entry, int events, SharedHandlerEntry predecessor) throws IOException {
        // Its first event may come at once, and its hook must find the entry: a dispatch begins by taking this lock.
        synchronized (entry) {
            // First of all, because it may fail for want of memory.
            entries.put(entry.handle(), entry);
            boolean opened = false;
            try {
                entry.open(demultiplexer, events, predecessor != null);
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

    private void putBack(SharedHandlerEntry entry, SharedHandlerEntry predecessor) {
        if (predecessor == null) {
            entries.remove(entry.handle(), entry);
        } else {
            entries.put(entry.handle(), predecessor);
        }
    }

    /** Has hooks recorded, also those of handles that are registered already. */
    synchronized void recordTo(DispatchTrace recording) {
        trace = recording;
        entries.values().stream().filter(entry -> !entry.isEnded()).forEach(entry -> entry.recordTo(recording));
    }

    /** {@return the entry of a handle that is registered, or null} */
    SharedHandlerEntry find(Handle handle) {
        SharedHandlerEntry entry = entries.get(handle);
        return entry == null || entry.isEnded() ? null : entry;
    }

    /** As {@link HandleSetSource#handOver}. */
    synchronized void handOver(Handle handle, EventHandler from, EventHandler to) {
        SharedHandlerEntry entry = find(handle);
        if (entry == null || entry.handler() != from) {
            throw new IllegalStateException(handle + " is not registered with " + from);
        }
        entry.handOver(to, trace);
    }

    /** As {@link HandleSetSource#callFirst}. */
    boolean callFirst(Handle handle, Runnable hook) {
        SharedHandlerEntry first = SharedHandlerEntry.ended(this, handle);
        SharedHandlerEntry before = putIfAbsent(first);
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

    private synchronized SharedHandlerEntry putIfAbsent(SharedHandlerEntry entry) {
        return entries.putIfAbsent(entry.handle(), entry);
    }

    private synchronized boolean hasSuccessor(SharedHandlerEntry entry) {
        return entry.successor != null;
    }

    /** {@return the entry whose turn it is now that the end of another has been dispatched, or null} */
    synchronized SharedHandlerEntry leave(SharedHandlerEntry entry) {
        if (entry.successor == null) {
            entries.remove(entry.handle(), entry);
        }
        return entry.successor;
    }

    void close() {
        synchronized (this) {
            closed = true;
        }
        // No entries are added any more; an entry that a thread is busy with ends when the thread is done.
        entries.values().forEach(entry -> entry.end(null));
    }
}
