package dev.sluice.demultiplexer.emulated;

import dev.sluice.demultiplexer.operation.OperationProcessor;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SystemCallException;
import java.io.IOException;

/** For a set that reports a ready handle in every wait: registered until an event comes that no operation waits for. */
final class LevelAssociation extends EmulatedAssociation {

    LevelAssociation(OperationProcessor processor, Handle handle, SynchronousEventDemultiplexer readiness)
            throws IOException {
        super(processor, handle, readiness);
    }

    @Override
    int arm(int events) {
        return (interest() & events) == events ? 0 : setInterest(interest() | events);
    }

    @Override
    void reported() {
    }

    @Override
    int resumed(int unexpected) throws IOException {
        // Waiting for these any longer would make a busy loop.
        if (unexpected != 0) {
            int result = setInterest(interest() & ~unexpected);
            if (result < 0) {
                throw new SystemCallException("withdrawal", toString(), result);
            }
        }
        return 0;
    }
}
