package dev.sluice.demultiplexer.emulated;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.operation.Arguments;
import dev.sluice.demultiplexer.operation.Execution;
import dev.sluice.demultiplexer.operation.OperationSlot;

/**
 * How an operation of one kind is executed by a system without completions, and what it waits for. Used only inside,
 * except for {@link #perform}.
 */
abstract class Attempt<A extends Arguments> extends Execution<A> {

    final Emulation emulation;
    /** The events that it waits for, 0 if it waits for none. */
    int awaited;

    Attempt(Emulation emulation, A asked) {
        super(asked, emulation.outcomes);
        this.emulation = emulation;
    }

    /** {@return how an operation is attempted; null if it never was} */
    static Attempt<?> of(OperationSlot operation) {
        return operation == null ? null : (Attempt<?>) operation.execution();
    }

    final EmulatedAssociation association() {
        return (EmulatedAssociation) operation.association();
    }

    final int descriptor() {
        return (int) association().descriptor();
    }

    // The wait for readiness

    /** {@return whether several such operations may wait for the same event of a handle} */
    boolean isPoll() {
        return false;
    }

    /** Makes it wait for readiness. */
    final void await(int events) {
        int failure = association().await(this, events);
        if (failure < 0) {
            outcomes.complete(operation, failure);
        }
    }

    /**
     * Goes on after a wait for readiness.
     *
     * @param came those of the events it waited for that have occurred
     * @return whether they may be waited for again
     */
    boolean ready(int came) {
        throw new IllegalStateException("waits for no event: " + operation);
    }

    // The call

    /**
     * Makes the system call that the operation stands for, once. Called by the thread inside, or by a thread of the
     * pool.
     *
     * @return what it returned
     */
    long call() {
        throw new IllegalStateException("not a call of its own: " + operation);
    }

    /** {@return what the call returns, which is repeated if a signal interrupts it} */
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

    /** {@return whether it could be stopped; called while it waits for no event} */
    boolean stop() {
        return false;
    }
}
