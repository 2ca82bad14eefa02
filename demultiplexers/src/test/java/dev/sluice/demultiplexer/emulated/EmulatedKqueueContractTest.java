package dev.sluice.demultiplexer.emulated;

import dev.sluice.demultiplexer.IterativeDemultiplexerContract;
import dev.sluice.demultiplexer.kqueue.EnabledIfKqueue;

@EnabledIfKqueue
class EmulatedKqueueContractTest extends IterativeDemultiplexerContract {

    EmulatedKqueueContractTest() {
        super(EmulatedSet.KQUEUE);
    }
}
