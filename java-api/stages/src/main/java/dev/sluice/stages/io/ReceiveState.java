package dev.sluice.stages.io;

/**
 * What the incoming side of a connection is doing. This is its only state; every transition is a method of this type,
 * and {@link ConnectionReading} applies it atomically.
 *
 * <pre>
 *                 start               pause                completed
 *         IDLE ---------> RECEIVING ---------> PAUSING ---------------> PAUSED
 *           ^                 |                                            |
 *           +--- completed ---+         RECEIVING &lt;--------- start --------+
 *
 *   stop:       IDLE, PAUSED --> STOPPED;  RECEIVING, PAUSING --> STOPPING -- completed --> STOPPED
 *   discard:    all but INPUT_ENDED and CLOSED --> DISCARDING -- completed --> STOPPED -- discard --> DISCARDING
 *   inputEnded: RECEIVING, PAUSING, STOPPING, DISCARDING --> INPUT_ENDED
 *   close:      IDLE, PAUSED, STOPPED, INPUT_ENDED --> CLOSED
 * </pre>
 *
 * <p>Invariants:
 * <ul>
 * <li>A receive is in flight, or is about to be started by the thread that made the transition, in {@code RECEIVING},
 *     {@code PAUSING}, {@code STOPPING} and {@code DISCARDING}, and in no other state. So there is never more than one.
 * <li>Only the last completion of the receive, or a failure to start it, leads from these states to one of the others.
 * <li>What a receive has brought is added before its last completion changes the state. A thread that reads
 *     {@code IDLE} or {@code PAUSED} and then finds nothing has taken everything.
 * <li>{@code CLOSED} is reached once. Then the connection makes its last event.
 * </ul>
 *
 * <p>Whether a receive is continuous or delivers one packet on demand is the same for all receives of a connection,
 * and is not a state.
 */
enum ReceiveState {

    /** No receive is in flight. The read stage starts one when the application reads. */
    IDLE,

    /** A receive is in flight for the application. */
    RECEIVING,

    /** The receive is being cancelled because too many buffers are retained. What it still brings is delivered. */
    PAUSING,

    /** No receive is in flight. The read stage starts one when the application has taken everything. */
    PAUSED,

    /** The receive is being cancelled because the graph is being stopped. What it still brings is delivered. */
    STOPPING,

    /** No receive is in flight, and none is started for the application any more. */
    STOPPED,

    /** A receive is in flight only to find the end of the input. What it brings is discarded. */
    DISCARDING,

    /** The peer has ended its output. No receive is started any more. */
    INPUT_ENDED,

    /** The connection is closed, and no receive is in flight or is started any more. */
    CLOSED;

    boolean isInFlight() {
        return switch (this) {
            case RECEIVING, PAUSING, STOPPING, DISCARDING -> true;
            case IDLE, PAUSED, STOPPED, INPUT_ENDED, CLOSED -> false;
        };
    }

    /** {@return whether the receive has to be cancelled, which its starting thread does if its ticket came too late} */
    boolean isCancelling() {
        return this == PAUSING || this == STOPPING;
    }

    ReceiveState pause() {
        return this == RECEIVING ? PAUSING : this;
    }

    ReceiveState stop() {
        return switch (this) {
            case IDLE, PAUSED -> STOPPED;
            case RECEIVING, PAUSING -> STOPPING;
            default -> this;
        };
    }

    ReceiveState discard() {
        return this == INPUT_ENDED || this == CLOSED ? this : DISCARDING;
    }

    /** The receive has brought what it could, and was not cancelled. */
    ReceiveState completed() {
        return this == RECEIVING ? IDLE : cancelled();
    }

    /** The receive was cancelled, by a transition above or together with its proactor; or it has failed. */
    ReceiveState cancelled() {
        return switch (this) {
            case PAUSING -> PAUSED;
            case RECEIVING, STOPPING, DISCARDING -> STOPPED;
            default -> this;
        };
    }

    ReceiveState inputEnded() {
        return isInFlight() ? INPUT_ENDED : this;
    }

    ReceiveState close() {
        return isInFlight() ? this : CLOSED;
    }
}
