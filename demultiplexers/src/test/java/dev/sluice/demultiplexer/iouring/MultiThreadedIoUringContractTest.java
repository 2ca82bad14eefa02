package dev.sluice.demultiplexer.iouring;

import dev.sluice.demultiplexer.MultiThreadedDemultiplexerContract;

@EnabledIfIoUring
class MultiThreadedIoUringContractTest extends MultiThreadedDemultiplexerContract {

    MultiThreadedIoUringContractTest() {
        super(IoUring.MULTI_THREADED);
    }
}
