package dev.sluice.demultiplexer.iouring;

import dev.sluice.demultiplexer.LevelTriggeredSetContract;

@EnabledIfIoUring
class IoUringPollContractTest extends LevelTriggeredSetContract {

    IoUringPollContractTest() {
        super(IoUringPollDemultiplexer.NAME);
    }
}
