package dev.sluice.demultiplexer.iouring;

import dev.sluice.demultiplexer.AsynchronousDataContract;

@EnabledIfIoUring
class IoUringZeroCopyDataContractTest extends AsynchronousDataContract {

    IoUringZeroCopyDataContractTest() {
        super(IoUring.ZERO_COPY);
    }
}
