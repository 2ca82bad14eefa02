package dev.sluice.demultiplexer.emulated;

import dev.sluice.demultiplexer.operation.OperationProcessor;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import dev.sluice.handle.Handle;
import java.io.IOException;

/**
 * For a set that reports a ready handle to one thread and then falls silent: rearmed, with everything that is waited
 * for by then, once that thread has entered and the handle's operations have gone on.
 */
final class OneShotAssociation extends EmulatedAssociation {

    /** Whether the set reports the handle, or has reported it to a thread that has not entered yet. */
    private boolean armed = true;
    private boolean resuming;

    OneShotAssociation(OperationProcessor processor, Handle handle, SynchronousEventDemultiplexer readiness)
            throws IOException {
        super(processor, handle, readiness);
    }

    @Override
    int arm(int events) {
        // While operations go on, this is done once for all of them, afterwards.
        return resuming || armed && (interest() & events) == events ? 0 : tell(armed ? interest() | events : events);
    }

    private int tell(int events) {
        int result = setInterest(events);
        armed |= result == 0;
        return result;
    }

    @Override
    void reported() {
        armed = false;
        resuming = true;
    }

    @Override
    int resumed(int unexpected) {
        resuming = false;
        int events = awaited();
        return events == 0 ? 0 : tell(events);
    }
}
