package dev.sluice.demultiplexer.emulated;

import dev.sluice.demultiplexer.SingleThreadedDemultiplexerContract;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class EmulatedSelectContractTest extends SingleThreadedDemultiplexerContract {

    EmulatedSelectContractTest() {
        super(EmulatedSet.SELECT);
    }
}
