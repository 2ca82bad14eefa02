package dev.sluice.mechanism.kqueue;

import dev.sluice.demultiplexer.EdgeTriggeredSetContract;
import org.junit.jupiter.api.Tag;

@Tag("one-binding")
@EnabledIfKqueue
class KqueueClearContractTest extends EdgeTriggeredSetContract {

    KqueueClearContractTest() {
        super("kqueue-clear");
    }
}
