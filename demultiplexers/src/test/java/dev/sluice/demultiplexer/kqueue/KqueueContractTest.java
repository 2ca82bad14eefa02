package dev.sluice.demultiplexer.kqueue;

import dev.sluice.demultiplexer.LevelTriggeredSetContract;

@EnabledIfKqueue
class KqueueContractTest extends LevelTriggeredSetContract {

    KqueueContractTest() {
        super("kqueue");
    }
}
