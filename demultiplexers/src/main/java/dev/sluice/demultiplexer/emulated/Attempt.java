package dev.sluice.demultiplexer.emulated;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.operation.Arguments;
import dev.sluice.demultiplexer.operation.Execution;
import dev.sluice.demultiplexer.operation.OperationSlot;
import org.jspecify.annotations.Nullable;

/**
 * How an operation of one kind is executed on a system without completions, and the events that it waits for. Used only
 * inside, except for {@link #perform}.
 */
abstract class Attempt<A extends Arguments> extends Execution<A> {

    final Emulation emulation;
    /** The events that the operation waits for; 0 if it waits for none. */
    int awaited;

    Attempt(Emulation emulation, A arguments) {
        super(arguments, emulation.outcomes);
        this.emulation = emulation;
    }

    /** {@return the attempt of an operation; null if the operation has not been executed, or is null} */
    static @Nullable Attempt<?> of(@Nullable OperationSlot operation) {
        return operation == null ? null : (Attempt<?>) operation.execution();
    }

    final EmulatedAssociation association() {
        return (EmulatedAssociation) operation.handleAssociation();
    }

    final int descriptor() {
        return (int) association().descriptor();
    }

    // The wait for readiness

    /** {@return whether several of these operations may wait for the same event of a handle} */
    boolean isPoll() {
        return false;
    }

    /** Makes the operation wait for readiness. */
    final void await(int events) {
        int failure = association().await(this, events);
        if (failure < 0) {
            outcomes.complete(operation, failure);
        }
    }

    /**
     * Continues the operation after a wait for readiness.
     *
     * @param came the events that have occurred, of those that the operation waited for
     * @return whether the operation may wait for these events again
     */
    boolean ready(int came) {
        throw new IllegalStateException("does not wait for an event: " + operation);
    }

    // The call

    /**
     * Makes the system call of the operation once. Called by the thread inside, or by a thread of the pool.
     *
     * @return the result of the call, or a negated error number
     */
    long call() {
        throw new IllegalStateException("makes no single call: " + operation);
    }

    /** {@return the result of the call, which is repeated if a signal interrupts it} */
    final long perform() {
        long result;
        do {
            result = call();
        } while (Errno.EINTR.is(result));
        return result;
    }

    // Cancelling

    @Override
    protected final void cancel() {
        emulation.cancel(operation);
    }

    /** {@return whether the operation has been stopped} Called while it waits for no event. */
    boolean stop() {
        return false;
    }
}
