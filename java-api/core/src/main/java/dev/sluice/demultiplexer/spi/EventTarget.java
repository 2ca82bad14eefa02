package dev.sluice.demultiplexer.spi;

/** What the event loop of a Reactor attaches to a membership: the events of the handle go there. */
public interface EventTarget {

    /**
     * Calls the hooks for the events of the handle.
     *
     * @param ready the events that the handle is ready for, bits of {@link dev.sluice.demultiplexer.spi.EventType#IO};
     *              0 if none of its events is wanted any more
     * @return the number of hooks called
     */
    int dispatch(int ready);

    /** Makes the set report the handle again, because not all of its reported events will be dispatched. */
    void reportAgain();
}
