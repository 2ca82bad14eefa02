package dev.sluice.mechanism.iouring;

import dev.sluice.demultiplexer.AsynchronousEventDemultiplexer;
import dev.sluice.mechanism.operation.ProvidedBuffers;
import java.io.IOException;
import org.junit.jupiter.api.Tag;

/** With every send of more than a few bytes made without copying. */
@Tag("one-binding")
class IoUringZeroCopyContractTest extends IoUringContractTest {

    private static final int FROM = 16;

    @Override
    protected AsynchronousEventDemultiplexer open() throws IOException {
        return new IoUringDemultiplexer(new IoUringSize(1024, 8192, ProvidedBuffers.Size.DEFAULT, FROM), false);
    }

    @Override
    protected boolean cancellingASendResets() {
        return true;
    }

    @Override
    protected AsynchronousEventDemultiplexer openSmall() throws IOException {
        return new IoUringDemultiplexer(new IoUringSize(SMALL.submissions(), SMALL.completions(),
                SMALL.providedBuffers(), FROM), false);
    }
}
