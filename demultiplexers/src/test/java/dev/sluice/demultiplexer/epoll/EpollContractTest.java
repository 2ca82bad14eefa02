package dev.sluice.demultiplexer.epoll;

import dev.sluice.demultiplexer.LevelTriggeredSetContract;
import dev.sluice.testing.Depth;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@Tag(Depth.BINDING)
@Tag(Depth.IN_QUICK)
@EnabledOnOs(OS.LINUX)
class EpollContractTest extends LevelTriggeredSetContract {

    EpollContractTest() {
        super("epoll");
    }
}
