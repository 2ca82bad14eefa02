package dev.sluice.demultiplexer.iouring;

import dev.sluice.demultiplexer.AsynchronousTransferContract;

@EnabledIfIoUring
class IoUringPlainTransferContractTest extends AsynchronousTransferContract {

    IoUringPlainTransferContractTest() {
        super(IoUring.PLAIN);
    }
}
