package dev.sluice.demultiplexer.iouring;

import dev.sluice.demultiplexer.MultiThreadedDemultiplexerContract;
import dev.sluice.testing.Depth;
import org.junit.jupiter.api.Tag;

/** The second completion of a send may come to another thread than the first one. */
@Tag(Depth.IN_MATRIX)
@EnabledIfIoUring
class MultiThreadedIoUringZeroCopyContractTest extends MultiThreadedDemultiplexerContract {

    MultiThreadedIoUringZeroCopyContractTest() {
        super(IoUring.MULTI_THREADED_ZERO_COPY);
    }
}
