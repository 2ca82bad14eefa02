package dev.sluice.stages;

/**
 * Result of an attempt to put events into an {@link EventQueue}. A value and not an exception, since rejecting events
 * is part of normal operation.
 */
public enum EnqueueResult {

    /** The events are in the queue, or, for a {@link Reservation}, their places are reserved. */
    ACCEPTED,

    /** There is no space below the queue's threshold until events have been taken. */
    FULL,

    /** An {@link Admission} has rejected one of the events. */
    REJECTED,

    /** The stage accepts no more events: it is being stopped, or has been stopped. */
    CLOSED
}
