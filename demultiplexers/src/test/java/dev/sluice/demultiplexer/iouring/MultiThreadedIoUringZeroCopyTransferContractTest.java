package dev.sluice.demultiplexer.iouring;

import dev.sluice.demultiplexer.AsynchronousTransferContract;
import dev.sluice.testing.Depth;
import org.junit.jupiter.api.Tag;

@Tag(Depth.IN_MATRIX)
@EnabledIfIoUring
class MultiThreadedIoUringZeroCopyTransferContractTest extends AsynchronousTransferContract {

    MultiThreadedIoUringZeroCopyTransferContractTest() {
        super(IoUring.MULTI_THREADED_ZERO_COPY);
    }
}
