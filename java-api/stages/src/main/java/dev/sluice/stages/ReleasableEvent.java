package dev.sluice.stages;

/**
 * An event that holds a resource to be reused, such as a packet in a buffer of the proactor. The stage that has
 * accepted the event releases it once the call of its handler has returned, or when it was discarded. If a queue
 * rejects the event, the caller still owns it.
 */
@FunctionalInterface
public interface ReleasableEvent {

    /**
     * Releases the event for one of its owners. May be called by any thread. Must not block. A stage logs its
     * exceptions.
     */
    void release();
}
