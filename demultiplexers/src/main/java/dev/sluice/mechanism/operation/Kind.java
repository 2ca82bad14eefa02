package dev.sluice.mechanism.operation;

import dev.sluice.demultiplexer.OperationType;
import dev.sluice.handle.PeerAddress;

/**
 * What operations of one type have in common, whatever mechanism executes them: the processor asks this object and
 * never looks at the type. Has no state of its own. Used only inside, except for the check.
 */
class Kind {

    private static final Kind[] OF_TYPES = new Kind[OperationType.values().length];

    static {
        for (OperationType type : OperationType.values()) {
            OF_TYPES[type.ordinal()] = make(type);
        }
    }

    private final Direction direction;

    Kind(Direction direction) {
        this.direction = direction;
    }

    private static Kind make(OperationType type) {
        return switch (type) {
            case ACCEPT, ACCEPT_CONTINUOUSLY -> new AcceptKind();
            case CONNECT -> new ConnectKind();
            case RECEIVE -> new TransferKind(Direction.INPUT, false);
            case RECEIVE_CONTINUOUSLY -> new ContinuousReceiveKind();
            case SEND -> new TransferKind(Direction.OUTPUT, true);
            case RECEIVE_FROM -> new ReceiveFromKind();
            case SEND_TO -> new SendToKind();
            case TRANSMIT_FILE -> new TransmitFileKind();
            case SHUTDOWN -> new ShutdownKind();
            case READ -> new TransferKind(Direction.NONE, false);
            case WRITE -> new TransferKind(Direction.NONE, true);
            case POLL -> new PollKind();
            case FORCE -> new Kind(Direction.NONE);
            case TIMEOUT -> new TimeoutKind();
            case OPEN -> new OpenKind();
            case CLOSE -> new CloseKind();
            case POST -> new PostKind();
        };
    }

    static Kind of(OperationType type) {
        return OF_TYPES[type.ordinal()];
    }

    /** {@return what it competes for} */
    final Direction direction() {
        return direction;
    }

    /** {@return whether it ends when it is cancelled, or the processor is shut down} */
    boolean canBeCancelled() {
        return true;
    }

    /**
     * Refuses arguments that an operation of this kind cannot be started with. Called by the starting thread.
     *
     * @throws RuntimeException what {@link dev.sluice.demultiplexer.Operation} says
     */
    void check(PreparedOperation operation) {
    }

    static void requireNotNegative(long number, String name) {
        if (number < 0) {
            throw new IllegalArgumentException(name + ": " + number);
        }
    }

    static void requirePeer(PeerAddress peer) {
        if (!peer.isPresent()) {
            throw new IllegalArgumentException("the address names no peer");
        }
    }

    /**
     * Acquires what the first attempt needs.
     *
     * @return 0, or a negated error number that the operation completes with
     */
    long prepare(PreparedOperation operation) {
        return 0;
    }

    /** {@return whether it is complete as soon as it is prepared} */
    boolean needsNoCall(PreparedOperation operation) {
        return false;
    }

    /** {@return its result if it {@link #needsNoCall}} */
    long resultWithoutCall(PreparedOperation operation) {
        return 0;
    }

    /** {@return its result after its last attempt has succeeded} */
    long result(PreparedOperation operation, long lastAttempt) {
        return lastAttempt;
    }

    /** {@return whether it adds to what the peer of a stream receives, of which it must not miss a part in between} */
    boolean continuesStream(PreparedOperation operation) {
        return false;
    }

    /** Called when it completes: takes over what the system has written besides the bytes. */
    void takeOver(PreparedOperation operation, long result) {
    }

    /** Called when it has completed. */
    void completed(OperationProcessor processor) {
    }

    /** Called when it completes without ever having been begun, because the mechanism has failed for good. */
    void abandoned(PreparedOperation operation) {
    }

    // For kinds that move bytes between buffers and the system

    /** {@return whether the bytes come from the buffers} */
    boolean isOutput() {
        return false;
    }

    /** {@return whether the bytes are moved by one call, together with an address} */
    boolean isDatagram() {
        return false;
    }

    /** {@return the length of the address that goes with the bytes, or of the room for one; 0 if there is none} */
    int prepareName(PreparedOperation operation) {
        return 0;
    }
}
