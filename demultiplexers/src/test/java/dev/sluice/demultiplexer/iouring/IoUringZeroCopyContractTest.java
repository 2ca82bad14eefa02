package dev.sluice.demultiplexer.iouring;

import dev.sluice.demultiplexer.SingleThreadedDemultiplexerContract;
import dev.sluice.testing.Depth;
import org.junit.jupiter.api.Tag;

/** Sends differ, of which the contract of the transfers has most: an ordinary build runs that one alone. */
@Tag(Depth.IN_MATRIX)
@EnabledIfIoUring
class IoUringZeroCopyContractTest extends SingleThreadedDemultiplexerContract {

    IoUringZeroCopyContractTest() {
        super(IoUring.ZERO_COPY);
    }
}
