package dev.sluice.demultiplexer.emulated;

import dev.sluice.demultiplexer.SingleThreadedDemultiplexerContract;
import dev.sluice.demultiplexer.kqueue.EnabledIfKqueue;

@EnabledIfKqueue
class EmulatedKqueueContractTest extends SingleThreadedDemultiplexerContract {

    EmulatedKqueueContractTest() {
        super(EmulatedSet.KQUEUE);
    }
}
