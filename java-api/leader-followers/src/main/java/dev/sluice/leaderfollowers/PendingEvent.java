package dev.sluice.leaderfollowers;

/** An event that a leader has detected, to be dispatched by the same thread. */
@FunctionalInterface
public interface PendingEvent {

    /** {@return whether the pool or the handler promotes a new leader} */
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
     * The source is about to be waited on while this event is being processed, so the event must not be detected a
     * second time. Called by the thread that detected it, perhaps more than once.
     */
    default void deactivate() {
    }

    /**
     * A new leader is about to be promoted while this event is being processed, or would be if the source needed one.
     * Called by the thread that detected it, perhaps more than once. Unless overridden, it {@linkplain #deactivate()
     * deactivates}; an event of a concurrent handle sees to it instead that the handle can be detected again.
     */
    default void beforePromotion() {
        deactivate();
    }

    /**
     * The event is left to a thread that may dispatch it, and there may be none for a long time. Unless overridden, it
     * {@linkplain #deactivate() deactivates}. Whatever it does, the source must not report events without end to
     * threads that may not dispatch them.
     */
    default void defer() {
        deactivate();
    }

    /**
     * Dispatches the event to its handler; afterwards the source may report such an event again. What the handler
     * throws must be handed to the handler: whatever this method throws is thrown from
     * {@link MultipleLeadersPool#join()} as well.
     */
    void process();
}
