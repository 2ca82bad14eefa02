package dev.sluice.demultiplexer.iouring;

import dev.sluice.demultiplexer.AsynchronousDataContract;
import dev.sluice.testing.Depth;
import org.junit.jupiter.api.Tag;

@Tag(Depth.IN_MATRIX)
@EnabledIfIoUring
class MultiThreadedIoUringZeroCopyDataContractTest extends AsynchronousDataContract {

    MultiThreadedIoUringZeroCopyDataContractTest() {
        super(IoUring.MULTI_THREADED_ZERO_COPY);
    }
}
