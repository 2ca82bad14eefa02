package dev.sluice.demultiplexer.emulated;

import dev.sluice.demultiplexer.IterativeDemultiplexerContract;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class EmulatedPollContractTest extends IterativeDemultiplexerContract {

    EmulatedPollContractTest() {
        super(EmulatedSet.POLL);
    }
}
