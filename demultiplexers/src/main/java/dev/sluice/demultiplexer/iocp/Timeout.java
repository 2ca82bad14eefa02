package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.operation.Delay;

/** Lets time pass. */
final class Timeout extends Request<Delay> {

    Timeout(IocpDemultiplexer demultiplexer, Delay asked) {
        super(demultiplexer, asked);
    }

    @Override
    protected void begin() {
        demultiplexer.timeouts.add(asked);
    }

    @Override
    protected void cancel() {
        demultiplexer.timeouts.remove(asked);
        outcomes.complete(operation, -Errno.ECANCELED.number());
    }
}
