package dev.sluice.mechanism.emulated;

import dev.sluice.calls.Errno;
import dev.sluice.mechanism.operation.NativeOperation;
import dev.sluice.mechanism.operation.Outcomes;

/**
 * How operations of one kind are executed by a system without completions. One object serves all of them; the state of
 * each is kept in the operation itself. Used only inside, except for {@link #perform}.
 */
abstract class Execution {

    private final Emulation emulation;

    Execution(Emulation emulation) {
        this.emulation = emulation;
    }

    final Emulation emulation() {
        return emulation;
    }

    final Outcomes outcomes() {
        return emulation.outcomes();
    }

    /** Begins, or goes on after an attempt that has moved only a part. */
    abstract void begin(EmulatedOperation operation);

    /**
     * Makes the system call that an operation stands for, once. Called by the thread inside, or by a thread of the
     * pool.
     *
     * @return what it returned
     */
    long call(NativeOperation operation) {
        throw new IllegalStateException("not a call of its own: " + operation);
    }

    /** {@return what the call returns, which is repeated if a signal interrupts it} */
    final long perform(NativeOperation operation) {
        long result;
        do {
            result = call(operation);
        } while (Errno.EINTR.is(result) && repeatsAfterSignal());
        return result;
    }

    /** {@return whether an interrupted call has done nothing} */
    boolean repeatsAfterSignal() {
        return true;
    }

    /**
     * Goes on with an operation that has waited for readiness.
     *
     * @param came those of the events it waited for that have occurred
     * @return whether they may be waited for again
     */
    boolean ready(EmulatedOperation operation, int came) {
        throw new IllegalStateException("waits for no event: " + operation);
    }

    /** Takes the result from a thread of the pool. */
    void performed(EmulatedOperation operation, long result) {
        outcomes().attempted(operation, result);
    }

    /** {@return whether it could be stopped; called while it waits for no event} */
    boolean stop(EmulatedOperation operation) {
        return false;
    }

    /** {@return whether several such operations may wait for the same event of a handle} */
    boolean isPoll() {
        return false;
    }

    static int descriptor(NativeOperation operation) {
        return (int) operation.descriptor();
    }
}
