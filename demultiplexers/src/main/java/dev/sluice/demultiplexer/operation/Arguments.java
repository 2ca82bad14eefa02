package dev.sluice.demultiplexer.operation;

import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.handle.PeerAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of an operation of one kind, in the form that system calls need. The starting thread checks them; they
 * are prepared and taken over inside, and do not change in between. Whatever mechanism executes the operation, the
 * processor calls this object, and never looks at the type. An operation keeps its arguments of each kind that it has
 * been used for, so that a further start allocates nothing.
 */
public abstract class Arguments {

    /** The result of {@link #prepare} if the operation needs a call to complete. */
    static final long NEEDS_CALL = Long.MIN_VALUE;

    final OperationSlot operation;
    final OperationType type;
    /** The direction in which the operation competes with others on its handle. */
    Direction direction;
    /** The memory that the calls of the operation use. */
    final CallMemory memory;
    /** The position in a file at which the operation begins; 0 if it is not about a position. */
    long position;
    /** How the operation is executed; null until it is first executed. */
    @Nullable Execution<?> execution;
    /** The arguments of another kind that the operation was used for earlier, or null. */
    @Nullable Arguments previous;

    Arguments(OperationSlot operation, OperationType type, Direction direction) {
        this.operation = operation;
        this.type = type;
        this.direction = direction;
        this.memory = operation.memory();
    }

    /**
     * {@return the arguments of a type, which become the first in the list of an operation's arguments}
     *
     * @param first the first arguments in the list, of another type; null if the list is empty
     */
    static Arguments of(OperationSlot operation, OperationType type, @Nullable Arguments first) {
        Arguments before = null;
        Arguments found = first;
        while (found != null && found.type != type) {
            before = found;
            found = found.previous;
        }
        if (found == null) {
            found = of(operation, type);
        } else {
            assert before != null;
            before.previous = found.previous;
        }
        if (first != null) {
            first.forget();
        }
        found.previous = first;
        return found;
    }

    /** The table of the arguments of each type. */
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
            case WRITE_AND_FORCE_DATA -> new ForcedTransfer(operation, type);
            case POLL -> new Events(operation, type);
            case FORCE, FORCE_DATA -> new NoArguments(operation, type);
            case ALLOCATE, PUNCH_HOLE, PREFETCH, EVICT, WRITE_BACK -> new FileRange(operation, type);
            case TRUNCATE -> new NewLength(operation, type);
            case COPY -> new Copying(operation, type);
            case LOCK, TRY_LOCK -> new Locking(operation, type);
            case STATUS -> new StatusQuery(operation, type);
            case RENAME, RENAME_UNLESS_EXISTS, EXCHANGE, LINK, DELETE, CREATE_DIRECTORY, DELETE_DIRECTORY,
                    FORCE_DIRECTORY -> new Naming(operation, type);
            case TIMEOUT -> new Delay(operation, type);
            case OPEN -> new Opening(operation, type);
            case CLOSE -> new Closing(operation, type);
            case POST -> new Posted(operation, type);
        };
    }

    /** {@return the operation} */
    public final OperationSlot operation() {
        return operation;
    }

    /** {@return the type of the operation} */
    public final OperationType type() {
        return type;
    }

    /** {@return whether the operation ends when it is cancelled or the processor is shut down} */
    boolean canBeCancelled() {
        return true;
    }

    // Called by the starting thread

    /**
     * Checks the arguments, before the operation is started.
     *
     * @throws RuntimeException as {@link dev.sluice.demultiplexer.spi.Operation} specifies for the type
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

    // Called by a thread of a pool

    /**
     * Makes the blocking call of an operation on a file or on names once.
     *
     * @return the result of the call, or a negated error number
     */
    public long makeCall() {
        throw new IllegalStateException("makes no blocking call: " + operation);
    }

    // Called inside

    /**
     * Prepares the first attempt.
     *
     * @return {@link #NEEDS_CALL}, or the result of an operation that completes without a call
     * @throws RuntimeException if the program has changed or freed a buffer
     */
    long prepare() {
        return NEEDS_CALL;
    }

    /** {@return the number of bytes that have been moved} */
    public long done() {
        return 0;
    }

    /** {@return the maximum number of bytes that the next attempt can move} */
    public long maxBytes() {
        return 0;
    }

    /**
     * Adds the number of bytes that an attempt has moved.
     *
     * @param bytes the number of bytes, 0 or more
     * @return whether another attempt is needed
     */
    public boolean moved(long bytes) {
        return false;
    }

    /** {@return what the completion delivers, which this method forgets; null if there is nothing} */
    public @Nullable Object takeResource() {
        return null;
    }

    /** {@return whether fewer bytes have been moved than were given} */
    boolean hasRemainder() {
        return false;
    }

    /** {@return the result of the operation after its last attempt has succeeded} */
    long result(long lastAttempt) {
        return lastAttempt;
    }

    /** {@return whether the operation sends bytes of a stream, which must not be sent after a gap} */
    boolean continuesStream() {
        return false;
    }

    /**
     * Called when the operation completes: takes over what the system has written, and advances the buffers.
     *
     * @throws RuntimeException if the program has changed or freed a buffer
     */
    void takeOver(long result) {
    }

    /** Called after {@link #takeOver}, even if that throws: releases resources other than {@link #memory}. */
    void release() {
    }

    /** Adds memory, other than {@link #memory}, that the system may still write to. */
    void addMemory(List<Object> touched) {
    }

    /** Called when the operation completes without having been begun, because the mechanism has failed. */
    void abandoned() {
    }

    /** Called when the last completion has been collected: drops the references to the program's buffers. */
    void free() {
    }

    /** Called when the operation is used for another kind: drops all other references to objects of the program. */
    void forget() {
    }

    // Read by traces and messages

    /** {@return the file or the path of the operation; null if there is none} */
    @Nullable Object subject() {
        return null;
    }

    /** {@return the name of the system call that has failed, for messages} */
    String call() {
        return type.call();
    }

    /** {@return advice on a failure, for its message; null if the error is sufficient} */
    @Nullable String advice(long result) {
        return null;
    }

    /** {@return the peer to connect to or send to; null if there is none} */
    @Nullable PeerAddress remote() {
        return null;
    }

    final String subjectOfError() {
        return subjectOfError(operation.association(), subject(), remote());
    }

    /**
     * {@return the subject of an error message, made of the handle, the file or path, and the peer; each may be null}
     */
    static String subjectOfError(@Nullable Association association, @Nullable Object subject,
            @Nullable PeerAddress remote) {
        if (association == null) {
            return String.valueOf(subject);
        }
        String on = association.toString();
        if (subject instanceof Copying.Target) {
            return on + " to " + subject;
        }
        if (subject != null) {
            return subject + " to " + on;
        }
        // The name of a stream that is being connected already includes its peer.
        return remote == null || on.contains(" " + remote + " ") ? on : on + " to " + remote;
    }
}
