package dev.sluice.demultiplexer.spi;

/** The target of a handle's events, which the event loop of a Reactor attaches to the membership. */
public interface EventTarget {

    /**
     * Calls the hooks for the events of the handle.
     *
     * @param ready the events that the handle is ready for, bits of {@link dev.sluice.demultiplexer.spi.EventType#IO};
     *              0 if it is no longer registered for any of its events
     * @return the number of hooks called
     */
    int dispatch(int ready);

    /** Makes the set report the handle again, because its reported events will not be dispatched. */
    void reportAgain();
}
