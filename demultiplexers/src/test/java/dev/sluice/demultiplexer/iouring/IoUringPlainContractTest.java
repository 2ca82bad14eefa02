package dev.sluice.demultiplexer.iouring;

import dev.sluice.demultiplexer.SingleThreadedDemultiplexerContract;

@EnabledIfIoUring
class IoUringPlainContractTest extends SingleThreadedDemultiplexerContract {

    IoUringPlainContractTest() {
        super(IoUring.PLAIN);
    }
}
