package dev.sluice.mechanism.iouring;

import dev.sluice.demultiplexer.AsynchronousTransferContract;

@EnabledIfIoUring
class IoUringPlainTransferContractTest extends AsynchronousTransferContract {

    IoUringPlainTransferContractTest() {
        super(IoUring.PLAIN);
    }
}
