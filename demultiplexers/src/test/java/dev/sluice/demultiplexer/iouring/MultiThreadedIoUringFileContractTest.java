package dev.sluice.demultiplexer.iouring;

import dev.sluice.demultiplexer.AsynchronousFileContract;
import dev.sluice.testing.Depth;
import org.junit.jupiter.api.Tag;

@Tag(Depth.IN_MATRIX)
@EnabledIfIoUring
class MultiThreadedIoUringFileContractTest extends AsynchronousFileContract {

    MultiThreadedIoUringFileContractTest() {
        super(IoUring.MULTI_THREADED);
    }
}
