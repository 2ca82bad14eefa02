package dev.sluice.demultiplexer.emulated;

import dev.sluice.demultiplexer.ConcurrentDemultiplexerContract;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class EmulatedEpollOneShotContractTest extends ConcurrentDemultiplexerContract {

    EmulatedEpollOneShotContractTest() {
        super(EmulatedSet.EPOLL_ONE_SHOT);
    }
}
