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

    final OperationSlot operation;
    final OperationType type;
    /** What it competes for. */
    final Direction direction;
    /** What its calls use. */
    final CallMemory memory;
    /** The position in a file to begin at; 0 for everything else. */
    long position;
    /** How the operation is executed; null until it first is. */
    Execution<?> execution;
    /** Those of a kind that the operation was used for before, or null. */
    Arguments previous;

    Arguments(OperationSlot operation, OperationType type, Direction direction) {
        this.operation = operation;
        this.type = type;
        this.direction = direction;
        this.memory = operation.memory();
    }

    /**
     * {@return the arguments of a type, which become the first of those that an operation has}
     *
     * @param first the first one until now, of another type; null if it has none
     */
    static Arguments of(OperationSlot operation, OperationType type, Arguments first) {
        Arguments before = null;
        Arguments found = first;
        while (found != null && found.type != type) {
            before = found;
            found = found.previous;
        }
        if (found == null) {
            found = of(operation, type);
        } else {
            before.previous = found.previous;
        }
        if (first != null) {
            first.forget();
        }
        found.previous = first;
        return found;
    }

    /** The one table of what types ask for. */
    private static Arguments of(OperationSlot operation, OperationType type) {
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

    /** {@return the type of the operation} */
    public final OperationType type() {
        return type;
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
        if (!peer.hasAddress()) {
            throw new IllegalArgumentException("the address names no peer");
        }
    }

    // Inside

    /**
     * Acquires what the first attempt needs.
     *
     * @return {@link #NEEDS_CALL} if that has been prepared, or the result that the operation completes with at once
     * @throws RuntimeException if the program has touched a buffer
     */
    long prepare() {
        return NEEDS_CALL;
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

    /**
     * Called when it completes: takes over what the system has written, and advances the buffers.
     *
     * @throws RuntimeException if the program has touched a buffer
     */
    void takeOver(long result) {
    }

    /** Called after {@link #takeOver}, even if that throws: releases what it holds besides {@link #memory}. */
    void giveBack() {
    }

    /** Adds the memory that it uses besides {@link #memory}, and that the system may go on writing to. */
    void leaveMemory(List<Object> touched) {
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

    /** {@return the file or the path that it is about; null if there is none} */
    Object subject() {
        return null;
    }

    /** {@return what to do about a failure whose error does not say it, or null} */
    String advice(long result) {
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
