package dev.sluice.reactor;

import dev.sluice.demultiplexer.SynchronousEventDemultiplexer;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.hook.HookFailure;
import dev.sluice.trace.DispatchTrace;
import java.io.IOException;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

/**
 * The table of a reactor that one thread runs. For the loop thread only.
 *
 * <p>The map finds the entry of a handle that a caller names; it is a hash map, since handles are not small numbers on
 * every system.
 */
final class SoleTable implements DemultiplexingTable {

    private final Executor loop;
    private final BooleanSupplier confined;
    private final SynchronousEventDemultiplexer demultiplexer;
    private final DispatchTrace trace;
    private final Map<Handle, SoleEntry> entries = new IdentityHashMap<>();
    /** Those whose registration has ended, until their last hook has returned: the first of each handle. */
    private final Map<Handle, SoleEntry> leaving = new IdentityHashMap<>();
    /** The handle whose first hook is being called, and whether it has been registered. */
    private Handle called;
    private boolean registered;
    private boolean closed;

    /**
     * Makes an empty one.
     *
     * @param loop          runs a task on the loop thread, as soon as possible
     * @param confined      tells whether nobody but the caller can touch the table; for assertions
     * @param demultiplexer whose handle set has the same handles
     * @param trace         records the calls of hooks; may be null
     */
    SoleTable(Executor loop, BooleanSupplier confined, SynchronousEventDemultiplexer demultiplexer,
            DispatchTrace trace) {
        this.loop = loop;
        this.confined = confined;
        this.demultiplexer = demultiplexer;
        this.trace = trace;
    }

    @Override
    public void register(Handle handle, EventHandler handler, int events) throws IOException {
        assert confined.getAsBoolean();
        if (closed) {
            throw new IllegalStateException("reactor on " + demultiplexer.name() + " is closed");
        }
        SoleEntry entry = entries.get(handle);
        if (entry == null) {
            add(new SoleEntry(this, handle, handler, demultiplexer.trigger(), trace), events);
        } else if (entry.handler == handler) {
            setEvents(entry, entry.events | events);
        } else {
            throw new IllegalStateException(handle + " cannot be registered with " + handler
                    + ", it is registered with " + entry.handler + " already");
        }
    }

    private void add(SoleEntry entry, int events) throws IOException {
        entry.handle.addCloseListener(entry);
        try {
            SoleEntry predecessor = leaving.get(entry.handle);
            if (predecessor == null) {
                entry.registration = demultiplexer.register(entry.handle, events, entry);
            } else {
                entry.registration = demultiplexer.register(entry.handle, 0, entry);
                entry.registration.deactivate();
                entry.registration.setEvents(events);
                entry.withheld = true;
                predecessor.afterHook = entry;
            }
            entry.events = events;
            entries.put(entry.handle, entry);
            registered |= entry.handle == called;
        } catch (Throwable e) {
            if (entry.registration != null) {
                entry.registration.remove();
            }
            entry.handle.removeCloseListener(entry);
            throw e;
        }
        if (!entry.handle.isOpen()) {
            // Closed by another thread before the entry was in the table: the notice of the close came too early to end
            // it.
            end(entry);
        }
    }

    @Override
    public void handOver(Handle handle, EventHandler from, EventHandler to) throws IOException {
        assert confined.getAsBoolean();
        SoleEntry entry = entries.get(handle);
        if (entry == null || entry.handler != from) {
            throw new IllegalStateException(handle + " is not registered with " + from);
        }
        entry.handOver(to);
    }

    @Override
    public boolean contains(Handle handle) {
        return entries.containsKey(handle);
    }

    @Override
    public void remove(Handle handle) {
        assert confined.getAsBoolean();
        SoleEntry entry = entries.get(handle);
        if (entry != null) {
            end(entry);
        }
    }

    @Override
    public void remove(Handle handle, EventHandler handler) {
        assert confined.getAsBoolean();
        SoleEntry entry = entries.get(handle);
        if (entry != null && entry.handler == handler) {
            end(entry);
        }
    }

    @Override
    public boolean callFirst(Handle handle, Runnable hook) {
        Handle outer = called;
        boolean outerRegistered = registered;
        called = handle;
        registered = contains(handle);
        try {
            hook.run();
            return registered;
        } finally {
            registered = outerRegistered || handle == outer && registered;
            called = outer;
        }
    }

    @Override
    public void change(Handle handle, int events) {
        change(handle, entry -> setEvents(entry, events));
    }

    private static void setEvents(SoleEntry entry, int events) throws IOException {
        try {
            entry.registration.setEvents(events);
            entry.events = events;
        } catch (IllegalStateException e) {
            if (entry.registration.isValid()) {
                throw e;
            }
            // Another thread has closed the handle; the loop thread will end the registration.
            throw new HandleClosedException(entry.handle);
        }
    }

    @Override
    public void setActive(Handle handle, boolean active) {
        change(handle, entry -> {
            entry.paused = !active;
            if (!active) {
                entry.registration.deactivate();
            } else if (!entry.withheld) {
                entry.registration.activate();
            }
        });
    }

    /**
     * An event of a handle whose hook runs the loop. The set would report a level-triggered one in every wait, so it is
     * told to be silent; most hooks that run the loop never cause that.
     */
    void withhold(SoleEntry entry) {
        if (entries.get(entry.handle) == entry) {
            entry.withheld = true;
            entry.afterHook = entry;
            change(entry.handle, silenced -> silenced.registration.deactivate());
        }
    }

    /** The outermost hook of an entry has returned: lets go on what has waited for that. */
    void hookReturned(SoleEntry entry) {
        assert confined.getAsBoolean();
        entry.busy = false;
        SoleEntry next = entry.afterHook;
        if (next == null) {
            return;
        }
        entry.afterHook = null;
        leaving.remove(entry.handle, entry);
        if (next.withheld) {
            next.withheld = false;
            if (!next.paused) {
                activate(next);
            }
        }
    }

    private void activate(SoleEntry entry) {
        try {
            change(entry.handle, silenced -> silenced.registration.activate());
        } catch (RuntimeException | Error e) {
            // It concerns this handle, of which nobody would be told again, and not the loop.
            fail(entry, e);
        }
    }

    private interface Change {
        void apply(SoleEntry entry) throws IOException;
    }

    private void change(Handle handle, Change change) {
        assert confined.getAsBoolean();
        SoleEntry entry = entries.get(handle);
        if (entry != null) {
            try {
                change.apply(entry);
            } catch (HandleClosedException e) {
                // As good as not registered: the task that ends the registration is on its way to the loop thread.
                return;
            } catch (IOException e) {
                fail(entry, e);
            }
        }
    }

    /** Called by the thread that closes the handle; the loop thread ends the registration. */
    void handleClosing(SoleEntry entry) {
        loop.execute(entry.end);
    }

    /** Ends a registration, once. */
    void end(SoleEntry entry) {
        assert confined.getAsBoolean();
        if (entries.get(entry.handle) != entry) {
            return;
        }
        // First of all, because it may fail for lack of memory.
        boolean isFirst = leaving.putIfAbsent(entry.handle, entry) == null;
        entries.remove(entry.handle);
        boolean insideHook = entry.busy;
        entry.busy = true;
        if (isFirst) {
            entry.afterHook = entry;
        }
        try {
            entry.handle.removeCloseListener(entry);
            entry.registration.remove();
        } catch (RuntimeException | Error e) {
            // The handler must still let go of the handle, and other handlers must still be told of their end.
            tell(entry, e);
        }
        try {
            entry.hooks.handleClose(entry.handle, entry.events);
        } catch (Throwable e) {
            tell(entry, e);
        } finally {
            if (!insideHook) {
                hookReturned(entry);
            }
        }
    }

    /**
     * Ends the registration of the handle that a hook's failure concerns: its own, unless the failure names another
     * handle of this table.
     */
    void hookFailed(SoleEntry entry, Throwable cause) {
        assert confined.getAsBoolean();
        SoleEntry named = entries.get(HookFailure.handle(cause));
        if (named == null || named == entry) {
            fail(entry, cause);
            return;
        }
        fail(named, cause);
        try {
            // Even if the handler drains its handle: the hook failed before it got that far.
            entry.registration.rearm();
        } catch (Throwable e) {
            fail(entry, e);
        }
    }

    /** Ends a registration whose hook or system call has failed. */
    void fail(SoleEntry entry, Throwable cause) {
        tell(entry, cause);
        end(entry);
    }

    private static void tell(SoleEntry entry, Throwable cause) {
        try {
            entry.hooks.handleFailure(entry.handle, cause);
        } catch (Throwable e) {
            HookFailure.untold(entry.handler, cause, e);
        }
    }

    @Override
    public void endAll() {
        for (int left = entries.size(); left > 0 && !entries.isEmpty(); left--) {
            endAny();
        }
        closed = true;
        while (!entries.isEmpty()) {
            endAny();
        }
    }

    private void endAny() {
        end(entries.values().iterator().next());
    }
}
