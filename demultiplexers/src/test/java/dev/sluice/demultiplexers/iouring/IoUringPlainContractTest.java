package dev.sluice.demultiplexers.iouring;

import dev.sluice.demultiplexer.AsynchronousEventDemultiplexer;
import java.io.IOException;

/** Without what only newer kernels have. */
class IoUringPlainContractTest extends IoUringContractTest {

    @Override
    protected AsynchronousEventDemultiplexer open() throws IOException {
        return new IoUringDemultiplexer(IoUringSize.configured(), true);
    }

    @Override
    protected AsynchronousEventDemultiplexer openSmall() throws IOException {
        return new IoUringDemultiplexer(SMALL, true);
    }
}
