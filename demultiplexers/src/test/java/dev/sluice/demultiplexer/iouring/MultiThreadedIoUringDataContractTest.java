package dev.sluice.demultiplexer.iouring;

import dev.sluice.demultiplexer.AsynchronousDataContract;
import dev.sluice.testing.Depth;
import org.junit.jupiter.api.Tag;

@Tag(Depth.IN_MATRIX)
@EnabledIfIoUring
class MultiThreadedIoUringDataContractTest extends AsynchronousDataContract {

    MultiThreadedIoUringDataContractTest() {
        super(IoUring.MULTI_THREADED);
    }
}
