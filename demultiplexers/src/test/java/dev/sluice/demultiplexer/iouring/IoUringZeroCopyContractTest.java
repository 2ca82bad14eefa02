package dev.sluice.demultiplexer.iouring;

import dev.sluice.demultiplexer.IterativeDemultiplexerContract;

@EnabledIfIoUring
class IoUringZeroCopyContractTest extends IterativeDemultiplexerContract {

    IoUringZeroCopyContractTest() {
        super(IoUring.ZERO_COPY);
    }
}
