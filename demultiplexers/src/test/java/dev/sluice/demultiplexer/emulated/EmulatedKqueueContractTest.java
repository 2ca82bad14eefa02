package dev.sluice.mechanism.emulated;

import dev.sluice.demultiplexer.IterativeDemultiplexerContract;
import dev.sluice.mechanism.kqueue.EnabledIfKqueue;

@EnabledIfKqueue
class EmulatedKqueueContractTest extends IterativeDemultiplexerContract {

    EmulatedKqueueContractTest() {
        super(EmulatedSet.KQUEUE);
    }
}
