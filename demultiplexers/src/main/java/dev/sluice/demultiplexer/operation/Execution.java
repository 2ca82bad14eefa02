package dev.sluice.demultiplexer.operation;

/**
 * How a mechanism executes an operation of one kind, and the state that it needs for that. There is a class for each
 * kind and mechanism, and an object for each operation and kind. Used only inside.
 *
 * @param <A> the class of the arguments
 */
public abstract class Execution<A extends Arguments> {

    /** The operation that is executed. */
    public final OperationSlot operation;
    /** The arguments of the operation. */
    protected final A arguments;
    /** Receives the outcomes of the operation. */
    protected final Outcomes outcomes;

    /** Creates an execution, which is used for all starts of an operation. */
    protected Execution(A arguments, Outcomes outcomes) {
        this.operation = arguments.operation();
        this.arguments = arguments;
        this.outcomes = outcomes;
    }

    /** {@return the native memory that calls use} */
    protected final CallMemory memory() {
        return operation.memory();
    }

    /** Executes the operation, which has been prepared, or continues it. This may complete it immediately. */
    protected abstract void begin();

    /** Cancels the operation, which must still be completed, now or later. */
    protected abstract void cancel();

    /**
     * Handles the result of a call that a thread of a {@link FilePool} has made.
     *
     * @param result the result of the call, or a negated error number
     */
    protected void performed(long result) {
        throw new IllegalStateException("does not wait for a call: " + operation);
    }

    /** Called when the time has come until which the operation waited in {@link Deadlines}: completes it. */
    protected void resumeDue() {
        outcomes.complete(operation, 0);
    }

    /**
     * Called when the mechanism has failed, before it is disposed of, and the operation will complete as cancelled,
     * although the system may still execute it. Closes the descriptors that only the operation knows.
     */
    protected void abandoned() {
        // By default, it knows none.
    }

    /**
     * Releases what the operation has borrowed from the mechanism, because it is over, or an attempt has thrown an
     * exception.
     *
     * @return whether the operation can be completed; false if it is still being executed, and will complete by itself
     */
    protected boolean releaseBorrowed() {
        return true;
    }
}
