package dev.sluice.mechanism.iouring;

import dev.sluice.demultiplexer.AsynchronousTransferContract;

@EnabledIfIoUring
class IoUringZeroCopyTransferContractTest extends AsynchronousTransferContract {

    IoUringZeroCopyTransferContractTest() {
        super(IoUring.ZERO_COPY);
    }
}
