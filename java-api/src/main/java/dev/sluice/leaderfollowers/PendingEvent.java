package dev.sluice.leaderfollowers;

/** An event that a leader has detected, to be dispatched by the same thread. */
@FunctionalInterface
public interface PendingEvent {

    /** {@return who promotes a new leader} */
    default Promotion promotion() {
        return Promotion.BEFORE_DISPATCH;
    }

    /**
     * {@return whether it belongs to a connection on which threads wait for responses; then it is dispatched also by a
     * thread that waits too deep to dispatch anything else}
     */
    default boolean isBound() {
        return false;
    }

    /**
     * Another thread is about to wait on the source while this event is being processed: must not be detected a second
     * time. Called by the thread that detected the event, more than once perhaps.
     */
    default void deactivate() {
    }

    /**
     * Dispatches the event to its handler; afterwards the source may report its like again. What a handler throws is
     * for the handler: whatever leaves this method also leaves {@link MultipleLeadersPool#join()}.
     */
    void process();
}
