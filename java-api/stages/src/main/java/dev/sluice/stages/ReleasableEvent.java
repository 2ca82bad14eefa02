package dev.sluice.stages;

/**
 * An event that holds a resource to be reused, such as a packet in a buffer of the proactor. The stage that has
 * accepted the event releases it once the call of its handler has returned, or when it was discarded. If a queue
 * refuses the event, the caller still owns it.
 */
@FunctionalInterface
public interface ReleasableEvent {

    /**
     * Called when one of the owners of the event no longer needs it, by any thread. Must not block. What it throws in a
     * stage is logged.
     */
    void release();
}
