package dev.sluice.demultiplexer.emulated;

import dev.sluice.demultiplexer.MultiThreadedDemultiplexerContract;
import dev.sluice.demultiplexer.kqueue.EnabledIfKqueue;

@EnabledIfKqueue
class EmulatedKqueueDispatchContractTest extends MultiThreadedDemultiplexerContract {

    EmulatedKqueueDispatchContractTest() {
        super(EmulatedSet.KQUEUE_DISPATCH);
    }
}
