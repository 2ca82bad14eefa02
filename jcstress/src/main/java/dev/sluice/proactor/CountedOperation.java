package dev.sluice.proactor;

import dev.sluice.demultiplexer.Operation;

/** Remembers which of its claims has been current when it was cancelled. */
final class CountedOperation extends Operation {

    private volatile int claim;
    private volatile int cancelled;

    CountedOperation(Object attachment) {
        super(attachment);
    }

    void claimed(int number) {
        claim = number;
    }

    /** {@return the number of the claim that has been cancelled last, 0 if none} */
    int cancelled() {
        return cancelled;
    }

    @Override
    public void cancel() {
        cancelled = claim;
    }

    @Override
    protected void start() {
        throw new UnsupportedOperationException("only its cancellation is of interest");
    }
}
