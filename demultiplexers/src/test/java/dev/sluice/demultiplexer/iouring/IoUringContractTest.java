package dev.sluice.demultiplexer.iouring;

import dev.sluice.demultiplexer.IterativeDemultiplexerContract;
import dev.sluice.testing.Depth;
import org.junit.jupiter.api.Tag;

@Tag(Depth.BINDING)
@Tag(Depth.IN_QUICK)
@EnabledIfIoUring
class IoUringContractTest extends IterativeDemultiplexerContract {

    IoUringContractTest() {
        super(IoUring.USUAL);
    }
}
