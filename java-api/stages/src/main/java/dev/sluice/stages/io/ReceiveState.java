package dev.sluice.stages.io;

/**
 * The state of the incoming side of a connection. Every transition is a method of this type, which {@link
 * ConnectionReceive} applies atomically.
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
 * <li>Received bytes are added before the last completion of the receive changes the state. A thread that reads {@code
 *     IDLE} or {@code PAUSED} and then finds nothing has taken everything.
 * <li>{@code CLOSED} is reached once. Then the connection creates its last event.
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

    /**
     * The receive is being cancelled because too many buffers are retained. Bytes that it still receives are delivered.
     */
    PAUSING,

    /** No receive is in flight. The read stage starts one when the application has taken everything. */
    PAUSED,

    /**
     * The receive is being cancelled because the graph is being stopped. Bytes that it still receives are delivered.
     */
    STOPPING,

    /** No receive is in flight, and none is started for the application any more. */
    STOPPED,

    /** A receive is in flight only to detect the end of the input. Its bytes are discarded. */
    DISCARDING,

    /** The peer has shut down its output. No receive is started any more. */
    INPUT_ENDED,

    /** The connection is closed, and no receive is in flight or is started any more. */
    CLOSED;

    boolean isInFlight() {
        return switch (this) {
            case RECEIVING, PAUSING, STOPPING, DISCARDING -> true;
            case IDLE, PAUSED, STOPPED, INPUT_ENDED, CLOSED -> false;
        };
    }

    /**
     * {@return whether the receive has to be cancelled} The thread that starts it does so if the ticket was not known
     * before.
     */
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

    /** The transition after the last completion of a receive that was not cancelled. */
    ReceiveState completed() {
        return this == RECEIVING ? IDLE : cancelled();
    }

    /**
     * The transition after a receive was cancelled, by a transition above or by the close of its proactor, or has
     * failed.
     */
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
