package dev.sluice.stages;

/** Result of an attempt to put events into an {@link EventQueue}. A value, since refusing is part of normal work. */
public enum Outcome {

    /** The events are in the queue, or, for a {@link Reservation}, their places are reserved. */
    ACCEPTED,

    /** There is no space below the queue's threshold. There will be when events have been taken. */
    FULL,

    /** An {@link Admission} has refused one of the events. */
    REFUSED,

    /** The stage takes no more events: it is being stopped, or has been. */
    CLOSED
}
