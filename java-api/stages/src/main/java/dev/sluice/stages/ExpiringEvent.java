package dev.sluice.stages;

/**
 * An event that may become pointless while it waits, such as a packet of a connection that has been closed. It is
 * discarded before the handler sees it, and counted so, without {@link StageHandler#handleDiscarded}. Only stages whose
 * type of events is this one, a subtype, or {@code Object}, look.
 */
public interface ExpiringEvent {

    /**
     * Tells whether there is a point in handling an event. Called by the stage's thread.
     *
     * @param event any event
     * @return whether it is one of these, and has expired
     */
    static boolean isExpired(Object event) {
        return event instanceof ExpiringEvent expiring && expiring.isExpired();
    }

    /** {@return whether handling it has become pointless} */
    boolean isExpired();
}
