package dev.sluice.demultiplexer.iouring;

import dev.sluice.demultiplexer.IterativeDemultiplexerContract;

@EnabledIfIoUring
class IoUringPlainContractTest extends IterativeDemultiplexerContract {

    IoUringPlainContractTest() {
        super(IoUring.PLAIN);
    }
}
