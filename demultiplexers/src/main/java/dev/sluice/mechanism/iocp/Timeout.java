package dev.sluice.mechanism.iocp;

import dev.sluice.calls.Errno;
import dev.sluice.mechanism.operation.Deadlines;
import dev.sluice.mechanism.operation.Outcomes;

/** Lets time pass. */
final class Timeout extends Request {

    private final Deadlines deadlines;

    Timeout(Outcomes outcomes, Deadlines deadlines) {
        super(outcomes);
        this.deadlines = deadlines;
    }

    @Override
    void begin(IocpOperation operation) {
        deadlines.add(operation);
    }

    @Override
    void cancel(IocpOperation operation) {
        deadlines.remove(operation);
        outcomes().complete(operation, -Errno.ECANCELED.number());
    }
}
