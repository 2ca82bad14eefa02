package dev.sluice.demultiplexer.operation;

import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.handle.PeerAddress;
import java.util.List;

/**
 * What an operation of one kind was asked for, in the form that system calls need: it is checked by the starting
 * thread, prepared and taken over inside, and does not change in between. Whatever mechanism executes the operation,
 * the processor asks this object, and never looks at the type. An operation keeps one for each kind that it has been
 * used for, so that nothing is allocated again.
 */
public abstract class Arguments {

    /** What {@link #prepare} returns unless the operation is complete. */
    static final long NEEDS_CALL = Long.MIN_VALUE;

    private final OperationSlot operation;
    private final OperationType type;
    private final Direction direction;
    /** How the operation is executed; null until it first is. */
    Execution execution;
    /** Those of a kind that the operation was used for before, or null. */
    Arguments previous;

    Arguments(OperationSlot operation, OperationType type, Direction direction) {
        this.operation = operation;
        this.type = type;
        this.direction = direction;
    }

    /** The one table of what types ask for. */
    static Arguments of(OperationSlot operation, OperationType type) {
        return switch (type) {
            case ACCEPT, ACCEPT_CONTINUOUSLY -> new Accepting(operation, type);
            case CONNECT -> new Peer(operation, type);
            case RECEIVE -> new Transfer(operation, type, Direction.INPUT, false);
            case RECEIVE_CONTINUOUSLY -> new ContinuousReceive(operation, type);
            case SEND -> new Transfer(operation, type, Direction.OUTPUT, true);
            case RECEIVE_FROM -> new Datagram(operation, type, Direction.INPUT, false);
            case SEND_TO -> new Datagram(operation, type, Direction.OUTPUT, true);
            case TRANSMIT_FILE -> new Transmission(operation, type);
            case SHUTDOWN -> new ClosedHalf(operation, type);
            case READ -> new Transfer(operation, type, Direction.NONE, false);
            case WRITE -> new Transfer(operation, type, Direction.NONE, true);
            case POLL -> new Events(operation, type);
            case FORCE, FORCE_DATA -> new NoArguments(operation, type);
            case TIMEOUT -> new Delay(operation, type);
            case OPEN -> new Opening(operation, type);
            case CLOSE -> new Closing(operation, type);
            case POST -> new Posted(operation, type);
        };
    }

    /** {@return the operation that is asked for this} */
    public final OperationSlot operation() {
        return operation;
    }

    final OperationProcessor processor() {
        return operation.processor;
    }

    /** {@return the type of the operation} */
    public final OperationType type() {
        return type;
    }

    /** {@return what it competes for} */
    final Direction direction() {
        return direction;
    }

    /** {@return the memory that its calls use} */
    final CallMemory memory() {
        return operation.memory();
    }

    /** {@return whether it ends when it is cancelled, or the processor is shut down} */
    boolean canBeCancelled() {
        return true;
    }

    // By the starting thread

    /**
     * Refuses what an operation of this kind cannot be started with.
     *
     * @throws RuntimeException what {@link dev.sluice.demultiplexer.spi.Operation} says
     */
    void check() {
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

    // Inside

    /**
     * {@return {@link #NEEDS_CALL} if the first attempt has been prepared, or the result that the operation completes
     * with at once}
     */
    final long setUp() {
        assert processor().isInside();
        try {
            return prepare();
        } catch (RuntimeException e) {
            throw new TouchedBufferException(e);
        }
    }

    /** Takes over what the system has written, advances the buffers, and releases what was borrowed. */
    final void tearDown(long result) {
        assert processor().isInside();
        try {
            takeOver(result);
        } catch (RuntimeException e) {
            throw new TouchedBufferException(e);
        } finally {
            if (memory().isBorrowed) {
                memory().giveBack();
            }
            giveBack();
        }
    }

    /** Adds the memory that it uses and that is not in any pool, which the system may go on writing to. */
    final void leaveAll(List<Object> touched) {
        leaveMemory(touched);
        memory().leave(touched);
    }

    /**
     * Acquires what the first attempt needs.
     *
     * @return as {@link #setUp}
     */
    long prepare() {
        return NEEDS_CALL;
    }

    /** {@return the descriptor that its call is made on} */
    public long descriptor() {
        return operation.association().descriptor();
    }

    /** {@return what has been moved so far} */
    public long done() {
        return 0;
    }

    /** {@return the most bytes that the next attempt can move} */
    public long most() {
        return 0;
    }

    /**
     * Notes what one attempt has moved.
     *
     * @param bytes from 0 on
     * @return whether more must be moved
     */
    public boolean moved(long bytes) {
        return false;
    }

    /** {@return whether it was to move more bytes than it has} */
    boolean leavesRest() {
        return false;
    }

    /** {@return its result after its last attempt has succeeded} */
    long result(long lastAttempt) {
        return lastAttempt;
    }

    /** {@return whether it adds to what the peer of a stream receives, of which it must not miss a part in between} */
    boolean continuesStream() {
        return false;
    }

    /** Called when it completes: takes over what the system has written, and advances the buffers. */
    void takeOver(long result) {
    }

    /** Called after the completion: releases what it holds besides {@link #memory()}. */
    void giveBack() {
    }

    /** Adds the memory that it uses and that is not in any pool. */
    void leaveMemory(List<Object> memory) {
    }

    /** Called when it has completed. */
    void completed() {
    }

    /** Called when it completes without ever having been begun, because the mechanism has failed. */
    void abandoned() {
    }

    /** Called when the last completion has been collected: releases the program's buffers. */
    void free() {
    }

    /** Called when the operation is used for another kind: releases all other references to the program's objects. */
    void forget() {
    }

    // Read by traces and messages

    /** {@return the position in a file to begin at; 0 for everything else} */
    long position() {
        return 0;
    }

    /** {@return the file or the path that it is about; null if there is none} */
    Object subject() {
        return null;
    }

    /** {@return the peer to connect or to send to, or null} */
    PeerAddress remote() {
        return null;
    }

    final String subjectOfError() {
        return subjectOfError(operation.association(), subject(), remote());
    }

    /** {@return what a failure of an operation is about, on a handle if it has one, with such a subject and peer} */
    static String subjectOfError(Association association, Object subject, PeerAddress remote) {
        if (association == null) {
            return String.valueOf(subject);
        }
        String on = association.toString();
        if (subject != null) {
            return subject + " to " + on;
        }
        // A stream that is being connected is named after its peer already.
        return remote == null || on.contains(" " + remote + " ") ? on : on + " to " + remote;
    }
}
