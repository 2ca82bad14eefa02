package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.operation.Locking;
import dev.sluice.demultiplexer.operation.PooledCall;

/** Locks a range of a file, by calls that do not wait for it, with pauses in between. */
final class Lock extends PooledRequest<Locking> {

    /** The call, which is the same for all attempts. */
    private final PooledCall attempt = new PooledCall(operation) {
        @Override
        protected long make() {
            return arguments.makeCall();
        }
    };
    private boolean pausing;

    Lock(IocpDemultiplexer demultiplexer, Locking arguments) {
        super(demultiplexer, arguments);
    }

    @Override
    PooledCall nextCall() {
        return attempt;
    }

    @Override
    protected void performed(long result) {
        if (!arguments.isToWait(result)) {
            outcomes.complete(operation, arguments.outcome(result), arguments.takeResource());
        } else if (operation.isCancelRequested()) {
            outcomes.complete(operation, -Errno.ECANCELED.number());
        } else {
            arguments.beginPause();
            demultiplexer.timeouts.add(arguments);
            pausing = true;
        }
    }

    @Override
    protected void resumeDue() {
        pausing = false;
        begin();
    }

    @Override
    protected void cancel() {
        if (!pausing) {
            super.cancel();
        } else {
            pausing = false;
            demultiplexer.timeouts.remove(arguments);
            outcomes.complete(operation, -Errno.ECANCELED.number());
        }
    }
}
