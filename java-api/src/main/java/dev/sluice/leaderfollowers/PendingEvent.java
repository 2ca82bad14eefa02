package dev.sluice.leaderfollowers;

/** An event that a leader has detected, to be dispatched by the same thread. */
@FunctionalInterface
public interface PendingEvent {

    /** {@return who promotes a new leader} */
    default Promotion promotion() {
        return Promotion.BEFORE_DISPATCH;
    }

    /**
     * {@return whether it belongs to a connection on which threads wait for responses; then even a thread whose waits
     * are nested too deeply to dispatch anything else dispatches it}
     */
    default boolean isBound() {
        return false;
    }

    /**
     * Another thread is about to wait on the source while this event is being processed, so the event must not be
     * detected a second time. Called by the thread that detected it, perhaps more than once.
     */
    default void deactivate() {
    }

    /**
     * Dispatches the event to its handler; afterwards the source may report such an event again. What the handler
     * throws must be handed to the handler: whatever this method throws is thrown from
     * {@link MultipleLeadersPool#join()} as well.
     */
    void process();
}
