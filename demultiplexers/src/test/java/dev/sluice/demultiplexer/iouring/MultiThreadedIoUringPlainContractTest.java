package dev.sluice.demultiplexer.iouring;

import dev.sluice.demultiplexer.MultiThreadedDemultiplexerContract;
import dev.sluice.testing.Depth;
import org.junit.jupiter.api.Tag;

@Tag(Depth.IN_MATRIX)
@EnabledIfIoUring
class MultiThreadedIoUringPlainContractTest extends MultiThreadedDemultiplexerContract {

    MultiThreadedIoUringPlainContractTest() {
        super(IoUring.MULTI_THREADED_PLAIN);
    }
}
