package dev.sluice.demultiplexers.kqueue;

import dev.sluice.demultiplexer.EdgeTriggeredSetContract;

@EnabledIfKqueue
class KqueueClearContractTest extends EdgeTriggeredSetContract {

    KqueueClearContractTest() {
        super("kqueue-clear");
    }
}
