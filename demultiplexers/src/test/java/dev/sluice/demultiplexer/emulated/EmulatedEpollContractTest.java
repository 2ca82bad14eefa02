package dev.sluice.demultiplexer.emulated;

import dev.sluice.demultiplexer.SingleThreadedDemultiplexerContract;
import dev.sluice.testing.Depth;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@Tag(Depth.IN_QUICK)
@EnabledOnOs(OS.LINUX)
class EmulatedEpollContractTest extends SingleThreadedDemultiplexerContract {

    EmulatedEpollContractTest() {
        super(EmulatedSet.EPOLL);
    }
}
