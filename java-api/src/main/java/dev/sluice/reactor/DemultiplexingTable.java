package dev.sluice.reactor;

import dev.sluice.handle.Handle;
import java.io.IOException;

/**
 * Which handler serves which handle, and for which events: the paper's demultiplexing table (implementation activity
 * 3.3). An event does not find its handler through this table: an entry is its registration's attachment.
 */
interface DemultiplexingTable {

    /** As {@link Reactor#registerHandler(Handle, EventHandler, int)}. */
    void register(Handle handle, EventHandler handler, int events) throws IOException;

    /** As {@link Reactor#handOver}. */
    void handOver(Handle handle, EventHandler from, EventHandler to) throws IOException;

    /** {@return whether the handle has a handler} */
    boolean contains(Handle handle);

    /** As {@link Reactor#removeHandler(Handle)}. */
    void remove(Handle handle);

    /** As {@link Reactor#removeHandler(Handle, EventHandler)}. */
    void remove(Handle handle, EventHandler handler);

    /** As {@link Dispatcher#callFirst}. */
    boolean callFirst(Handle handle, Runnable hook);

    /** As {@link Reactor#changeEvents}. */
    void change(Handle handle, int events);

    /** As {@link Reactor#deactivateHandle} and {@link Reactor#reactivateHandle}. */
    void setActive(Handle handle, boolean active);

    /**
     * Ends all registrations, including those that handlers make in the meantime. When as many have ended as there were
     * at first, no more are accepted, so that handlers that always register again do not keep it from returning. No
     * thread runs the loop any more.
     */
    void endAll();
}
