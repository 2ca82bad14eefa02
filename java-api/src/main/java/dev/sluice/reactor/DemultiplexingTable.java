package dev.sluice.reactor;

import dev.sluice.demultiplexer.SynchronousEventDemultiplexer;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.hook.HookFailure;
import java.io.IOException;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

/**
 * Which handler serves which handle, and for which events: the paper's demultiplexing table (implementation activity
 * 3.3). For the loop thread only.
 *
 * <p>An event does not find its handler through this table: an entry is its registration's attachment. The map finds
 * the entry of a handle that a caller names; it is a hash map, since handles are not small numbers on every system.
 */
final class DemultiplexingTable {

    private final Executor loop;
    private final BooleanSupplier confined;
    private final SynchronousEventDemultiplexer demultiplexer;
    private final Map<Handle, HandlerEntry> entries = new IdentityHashMap<>();

    /**
     * Makes an empty one.
     *
     * @param loop          runs a task on the loop thread, as soon as possible
     * @param confined      tells whether nobody but the caller can touch the table; for assertions
     * @param demultiplexer whose handle set has the same handles
     */
    DemultiplexingTable(Executor loop, BooleanSupplier confined, SynchronousEventDemultiplexer demultiplexer) {
        this.loop = loop;
        this.confined = confined;
        this.demultiplexer = demultiplexer;
    }

    void register(Handle handle, EventHandler handler, int events) throws IOException {
        assert confined.getAsBoolean();
        HandlerEntry entry = entries.get(handle);
        if (entry == null) {
            add(new HandlerEntry(this, handle, handler, demultiplexer.trigger()), events);
        } else if (entry.handler == handler) {
            setEvents(entry, entry.events | events);
        } else {
            throw new IllegalStateException(handle + " cannot be registered with " + handler
                    + ", it is registered with " + entry.handler + " already");
        }
    }

    private void add(HandlerEntry entry, int events) throws IOException {
        entry.handle.addCloseListener(entry);
        try {
            entry.registration = demultiplexer.register(entry.handle, events, entry);
            entry.events = events;
            entries.put(entry.handle, entry);
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

    boolean contains(Handle handle) {
        return entries.containsKey(handle);
    }

    void remove(Handle handle) {
        assert confined.getAsBoolean();
        HandlerEntry entry = entries.get(handle);
        if (entry != null) {
            end(entry);
        }
    }

    void change(Handle handle, int events) {
        change(handle, entry -> setEvents(entry, events));
    }

    private static void setEvents(HandlerEntry entry, int events) throws IOException {
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

    void setActive(Handle handle, boolean active) {
        change(handle, entry -> {
            if (active) {
                entry.registration.activate();
            } else {
                entry.registration.deactivate();
            }
        });
    }

    private interface Change {
        void apply(HandlerEntry entry) throws IOException;
    }

    private void change(Handle handle, Change change) {
        assert confined.getAsBoolean();
        HandlerEntry entry = entries.get(handle);
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
    void handleClosing(HandlerEntry entry) {
        loop.execute(() -> end(entry));
    }

    /** Ends a registration, once. */
    void end(HandlerEntry entry) {
        assert confined.getAsBoolean();
        if (entries.get(entry.handle) != entry) {
            return;
        }
        entries.remove(entry.handle);
        try {
            entry.handle.removeCloseListener(entry);
            entry.registration.remove();
        } catch (RuntimeException | Error e) {
            // The handler must still let go of the handle, and other handlers must still be told of their end.
            tell(entry, e);
        }
        try {
            entry.handler.handleClose(entry.handle, entry.events);
        } catch (Throwable e) {
            tell(entry, e);
        }
    }

    /**
     * Ends the registration of the handle that a hook's failure concerns: its own, unless the failure names another
     * handle of this table.
     */
    void hookFailed(HandlerEntry entry, Throwable cause) {
        assert confined.getAsBoolean();
        HandlerEntry named = entries.get(HookFailure.handle(cause));
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
    void fail(HandlerEntry entry, Throwable cause) {
        tell(entry, cause);
        end(entry);
    }

    private static void tell(HandlerEntry entry, Throwable cause) {
        try {
            entry.handler.handleFailure(entry.handle, cause);
        } catch (Throwable e) {
            HookFailure.untold(entry.handler, cause, e);
        }
    }

    /** Ends all registrations, including those that handlers make in the meantime. */
    void endAll() {
        while (!entries.isEmpty()) {
            end(entries.values().iterator().next());
        }
    }
}
