package dev.sluice.mechanism.iocp;

import dev.sluice.mechanism.operation.Outcomes;

/**
 * What operations of one kind ask of Windows, and what its answers mean. One object serves all of them; the state of
 * each is kept in the operation itself. Used only inside, except for {@link #call}.
 */
abstract class Request {

    private final Outcomes outcomes;

    Request(Outcomes outcomes) {
        this.outcomes = outcomes;
    }

    final Outcomes outcomes() {
        return outcomes;
    }

    /** Begins, or goes on after a wait for provided buffers. */
    abstract void begin(IocpOperation operation);

    /**
     * Makes the system call that an operation stands for, or the next one of several. Called by the thread inside, or
     * by a thread of the pool.
     *
     * @return its result, or a negated error number
     */
    long call(IocpOperation operation) {
        throw new IllegalStateException("not a call of its own: " + operation);
    }

    /**
     * Goes on with an operation for which a packet has come.
     *
     * @param transferred how many bytes the call has moved, as the packet says
     */
    void goOn(IocpOperation operation, long transferred) {
        throw new IllegalStateException("waits for no packet: " + operation);
    }

    /** Takes the result from a thread of the pool. */
    void performed(IocpOperation operation, long result) {
        outcomes.complete(operation, result);
    }

    /** Tries to end what the system is doing for an operation, which then completes, now or later. */
    void cancel(IocpOperation operation) {
    }

    /** The operation is over, whatever its outcome: gives back what was borrowed. */
    void letGo(IocpOperation operation) {
    }
}
