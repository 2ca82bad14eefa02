package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.operation.Deadlines;
import dev.sluice.demultiplexer.operation.Delay;
import dev.sluice.demultiplexer.operation.Outcomes;

/** Lets time pass. */
final class Timeout extends Request {

    private final Delay delay;
    private final Deadlines deadlines;

    Timeout(Outcomes outcomes, Delay delay, Deadlines deadlines) {
        super(outcomes, delay);
        this.delay = delay;
        this.deadlines = deadlines;
    }

    @Override
    protected void begin() {
        deadlines.add(delay);
    }

    @Override
    protected void cancel() {
        deadlines.remove(delay);
        outcomes().complete(operation(), -Errno.ECANCELED.number());
    }
}
