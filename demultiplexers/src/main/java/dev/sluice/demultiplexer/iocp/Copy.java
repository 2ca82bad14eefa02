package dev.sluice.demultiplexer.iocp;

import dev.sluice.demultiplexer.operation.Copying;
import dev.sluice.demultiplexer.operation.PooledCall;

/** Copies a range of a file to another one, part by part. */
final class Copy extends PooledRequest<Copying> {

    /** The call that copies a part, which is the same for all. */
    private final PooledCall part = new PooledCall(operation) {
        @Override
        protected long make() {
            return arguments.makeCall();
        }
    };

    Copy(IocpDemultiplexer demultiplexer, Copying arguments) {
        super(demultiplexer, arguments);
    }

    @Override
    PooledCall nextCall() {
        return part;
    }

    /** {@inheritDoc} Begins the next part, unless this was the last one. */
    @Override
    protected void performed(long result) {
        outcomes.attempted(operation, result);
    }
}
