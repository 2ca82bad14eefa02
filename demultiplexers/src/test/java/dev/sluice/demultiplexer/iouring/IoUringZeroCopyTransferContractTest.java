package dev.sluice.demultiplexer.iouring;

import dev.sluice.demultiplexer.AsynchronousTransferContract;

@EnabledIfIoUring
class IoUringZeroCopyTransferContractTest extends AsynchronousTransferContract {

    IoUringZeroCopyTransferContractTest() {
        super(IoUring.ZERO_COPY);
    }
}
