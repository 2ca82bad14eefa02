package dev.sluice.mechanism.emulated;

import dev.sluice.demultiplexer.ConcurrentDemultiplexerContract;
import dev.sluice.mechanism.kqueue.EnabledIfKqueue;

@EnabledIfKqueue
class EmulatedKqueueDispatchContractTest extends ConcurrentDemultiplexerContract {

    EmulatedKqueueDispatchContractTest() {
        super(EmulatedSet.KQUEUE_DISPATCH);
    }
}
