package dev.sluice.demultiplexer.iouring;

import dev.sluice.demultiplexer.SingleThreadedDemultiplexerContract;
import dev.sluice.testing.Depth;
import org.junit.jupiter.api.Tag;

@Tag(Depth.BINDING)
@Tag(Depth.IN_QUICK)
@EnabledIfIoUring
class IoUringContractTest extends SingleThreadedDemultiplexerContract {

    IoUringContractTest() {
        super(IoUring.USUAL);
    }
}
