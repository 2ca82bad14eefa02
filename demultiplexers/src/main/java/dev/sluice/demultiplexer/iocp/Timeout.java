package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.operation.Delay;

/** Completes after a delay. */
final class Timeout extends Request<Delay> {

    Timeout(IocpDemultiplexer demultiplexer, Delay arguments) {
        super(demultiplexer, arguments);
    }

    @Override
    protected void begin() {
        demultiplexer.timeouts.add(arguments);
    }

    @Override
    protected void cancel() {
        demultiplexer.timeouts.remove(arguments);
        outcomes.complete(operation, -Errno.ECANCELED.number());
    }
}
