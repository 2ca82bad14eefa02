package dev.sluice.mechanism.iouring;

import dev.sluice.demultiplexer.IterativeDemultiplexerContract;

@EnabledIfIoUring
class IoUringPlainContractTest extends IterativeDemultiplexerContract {

    IoUringPlainContractTest() {
        super(IoUring.PLAIN);
    }
}
