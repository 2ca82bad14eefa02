package dev.sluice.demultiplexer.iouring;

import dev.sluice.demultiplexer.AsynchronousFileContract;
import dev.sluice.testing.Depth;
import org.junit.jupiter.api.Tag;

@Tag(Depth.BINDING)
@Tag(Depth.IN_QUICK)
@EnabledIfIoUring
class IoUringFileContractTest extends AsynchronousFileContract {

    IoUringFileContractTest() {
        super(IoUring.USUAL);
    }
}
