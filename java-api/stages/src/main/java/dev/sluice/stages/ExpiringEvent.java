package dev.sluice.stages;

/**
 * An event that may become pointless while it waits, such as a packet of a connection that has been closed. It is
 * discarded before the handler gets it, and counted as discarded, without a call of {@link
 * StageHandler#handleDiscarded}. Checked only by stages whose event type is this one, a subtype, or {@code Object}.
 */
public interface ExpiringEvent {

    /**
     * Returns whether an event has expired. Called by the stage's thread.
     *
     * @param event any event
     * @return true if it is an expiring event and has expired
     */
    static boolean isExpired(Object event) {
        return event instanceof ExpiringEvent expiring && expiring.isExpired();
    }

    /** {@return whether the event need not be handled any more} */
    boolean isExpired();
}
