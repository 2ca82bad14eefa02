package dev.sluice.demultiplexer.iouring;

import dev.sluice.demultiplexer.AsynchronousDataContract;
import dev.sluice.testing.Depth;
import org.junit.jupiter.api.Tag;

/** No optional feature of a kernel is for files, heads or tails: an ordinary build runs the other contracts. */
@Tag(Depth.IN_MATRIX)
@EnabledIfIoUring
class IoUringPlainDataContractTest extends AsynchronousDataContract {

    IoUringPlainDataContractTest() {
        super(IoUring.PLAIN);
    }
}
