package dev.sluice.demultiplexer.emulated;

import dev.sluice.demultiplexer.SingleThreadedDemultiplexerContract;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class EmulatedPollContractTest extends SingleThreadedDemultiplexerContract {

    EmulatedPollContractTest() {
        super(EmulatedSet.POLL);
    }
}
