package dev.sluice.demultiplexer.kqueue;

import dev.sluice.demultiplexer.EdgeTriggeredSetContract;

@EnabledIfKqueue
class KqueueClearContractTest extends EdgeTriggeredSetContract {

    KqueueClearContractTest() {
        super("kqueue-clear");
    }
}
