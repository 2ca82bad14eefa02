package dev.sluice.demultiplexer.operation;

/**
 * How a mechanism executes an operation of one kind, and what it has to remember for that: there is a class for each
 * kind and mechanism, and an object for each operation and kind. Used only inside.
 *
 * @param <A> the class of what it is asked for
 */
public abstract class Execution<A extends Arguments> {

    /** What is executed. */
    public final OperationSlot operation;
    /** What it is asked for. */
    protected final A asked;
    /** Where its outcomes are reported. */
    protected final Outcomes outcomes;

    /** Creates an execution, once for all starts. */
    protected Execution(A asked, Outcomes outcomes) {
        this.operation = asked.operation();
        this.asked = asked;
        this.outcomes = outcomes;
    }

    /** {@return what lies outside of the heap for its calls} */
    protected final CallMemory memory() {
        return operation.memory();
    }

    /** Executes the operation, which is set up, or continues it. This may complete it immediately. */
    protected abstract void begin();

    /** Tries to end the operation, which is no longer to be attempted. It must still be completed, now or later. */
    protected abstract void cancel();

    /**
     * Takes the result of a call that a thread of a {@link FilePool} has made.
     *
     * @param result the result of the call, or a negated error number
     */
    protected void performed(long result) {
        throw new IllegalStateException("waits for no call: " + operation);
    }

    /**
     * Takes back what has been borrowed from the mechanism, because an attempt has thrown something.
     *
     * @return whether it can be completed; false if it is being executed nevertheless, and will complete that way
     */
    protected boolean giveUp() {
        return true;
    }
}
