package dev.sluice.mechanism.iouring;

import dev.sluice.demultiplexer.AsynchronousDataContract;

@EnabledIfIoUring
class IoUringZeroCopyDataContractTest extends AsynchronousDataContract {

    IoUringZeroCopyDataContractTest() {
        super(IoUring.ZERO_COPY);
    }
}
