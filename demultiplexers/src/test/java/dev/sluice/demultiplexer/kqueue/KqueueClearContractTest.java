package dev.sluice.mechanism.kqueue;

import dev.sluice.demultiplexer.EdgeTriggeredSetContract;

@EnabledIfKqueue
class KqueueClearContractTest extends EdgeTriggeredSetContract {

    KqueueClearContractTest() {
        super("kqueue-clear");
    }
}
