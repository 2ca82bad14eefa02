package dev.sluice.demultiplexer.iouring;

import dev.sluice.demultiplexer.MultiThreadedDemultiplexerContract;
import dev.sluice.testing.Depth;
import org.junit.jupiter.api.Tag;

@Tag(Depth.BINDING)
@EnabledIfIoUring
class MultiThreadedIoUringContractTest extends MultiThreadedDemultiplexerContract {

    MultiThreadedIoUringContractTest() {
        super(IoUring.MULTI_THREADED);
    }
}
