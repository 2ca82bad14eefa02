package dev.sluice.demultiplexer.iouring;

import dev.sluice.demultiplexer.AsynchronousDataContract;

@EnabledIfIoUring
class IoUringPlainDataContractTest extends AsynchronousDataContract {

    IoUringPlainDataContractTest() {
        super(IoUring.PLAIN);
    }
}
