package dev.sluice.proactor;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.Operation;

/** An operation such as a close, which succeeds whoever wants to cancel it. */
final class UncancellableOperation extends Operation {

    /** What has come of it. */
    private static final class Success extends Completion {
        private Success(Operation operation) {
            fill(operation, 0, null, true);
        }
    }

    UncancellableOperation() {
        super(null);
    }

    Completion end() {
        Completion success = new Success(this);
        finished();
        return success;
    }

    @Override
    public void cancel(long ticket) {
        // In vain.
    }

    @Override
    protected void start() {
        throw new UnsupportedOperationException("only its end is of interest");
    }
}
