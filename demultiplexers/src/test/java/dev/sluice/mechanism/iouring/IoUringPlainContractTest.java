package dev.sluice.mechanism.iouring;

import dev.sluice.demultiplexer.AsynchronousEventDemultiplexer;
import java.io.IOException;
import org.junit.jupiter.api.Tag;

/** Without what only newer kernels have. */
@Tag("one-binding")
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
