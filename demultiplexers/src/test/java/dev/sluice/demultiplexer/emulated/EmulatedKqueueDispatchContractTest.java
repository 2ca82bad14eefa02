package dev.sluice.demultiplexer.emulated;

import dev.sluice.demultiplexer.ConcurrentDemultiplexerContract;
import dev.sluice.demultiplexer.kqueue.EnabledIfKqueue;

@EnabledIfKqueue
class EmulatedKqueueDispatchContractTest extends ConcurrentDemultiplexerContract {

    EmulatedKqueueDispatchContractTest() {
        super(EmulatedSet.KQUEUE_DISPATCH);
    }
}
