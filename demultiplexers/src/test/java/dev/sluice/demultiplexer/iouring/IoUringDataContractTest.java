package dev.sluice.demultiplexer.iouring;

import dev.sluice.demultiplexer.AsynchronousDataContract;
import dev.sluice.testing.Depth;
import org.junit.jupiter.api.Tag;

@Tag(Depth.BINDING)
@Tag(Depth.IN_QUICK)
@EnabledIfIoUring
class IoUringDataContractTest extends AsynchronousDataContract {

    IoUringDataContractTest() {
        super(IoUring.USUAL);
    }
}
