package dev.sluice.demultiplexer.iouring;

import dev.sluice.demultiplexer.AsynchronousTransferContract;
import dev.sluice.testing.Depth;
import org.junit.jupiter.api.Tag;

@Tag(Depth.BINDING)
@Tag(Depth.IN_QUICK)
@EnabledIfIoUring
class IoUringTransferContractTest extends AsynchronousTransferContract {

    IoUringTransferContractTest() {
        super(IoUring.USUAL);
    }
}
