package dev.sluice.demultiplexer.emulated;

import dev.sluice.demultiplexer.MultiThreadedDemultiplexerContract;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class EmulatedEpollOneShotContractTest extends MultiThreadedDemultiplexerContract {

    EmulatedEpollOneShotContractTest() {
        super(EmulatedSet.EPOLL_ONE_SHOT);
    }
}
