package dev.sluice.stages;

/**
 * An event that holds something which others need again, such as a packet in a buffer that has been lent. The stage
 * that has accepted it releases it once the call of the handler that it was for has returned, or when it was discarded.
 * What a queue has not accepted is still held by who wanted to enqueue it.
 */
@FunctionalInterface
public interface ReleasableEvent {

    /**
     * One of those who had the event does not need it any more. Called by any thread; must not block. What it throws in
     * a stage is logged.
     */
    void release();
}
