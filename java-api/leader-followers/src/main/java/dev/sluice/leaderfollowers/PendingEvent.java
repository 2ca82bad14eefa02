package dev.sluice.leaderfollowers;

/** An event that a leader has detected, to be dispatched by the same thread. */
@FunctionalInterface
public interface PendingEvent {

    /** {@return whether the pool or the handler promotes a new leader} */
    default Promotion promotion() {
        return Promotion.BEFORE_DISPATCH;
    }

    /**
     * {@return whether it belongs to a connection on which threads wait for responses} Such an event is dispatched even
     * by a thread whose waits are nested too deeply to dispatch anything else.
     */
    default boolean isBound() {
        return false;
    }

    /**
     * Prevents the source from reporting the event a second time while it is being processed. Called before the next
     * wait on the source, by the thread that detected the event, possibly more than once.
     */
    default void deactivate() {
    }

    /**
     * Called before a new leader is promoted while this event is being processed; on a concurrent source, at the same
     * point although there is no leader. Called by the thread that detected the event, possibly more than once. The
     * default implementation {@linkplain #deactivate() deactivates}; an event of a concurrent handle instead makes the
     * source report the handle again.
     */
    default void beforePromotion() {
        deactivate();
    }

    /**
     * Called when the event is deferred to a thread that may dispatch it; there may be none for a long time. The
     * default implementation {@linkplain #deactivate() deactivates}. Until the event is dispatched, the source must not
     * report further events without limit to threads that may not dispatch them.
     */
    default void defer() {
        deactivate();
    }

    /**
     * Dispatches the event to its handler; afterwards the source may report such an event again. Exceptions of the
     * handler must be passed to the handler: an exception of this method is thrown by {@link
     * MultipleLeadersPool#join()}.
     */
    void process();
}
