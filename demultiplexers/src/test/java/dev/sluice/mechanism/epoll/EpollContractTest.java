package dev.sluice.mechanism.epoll;

import dev.sluice.demultiplexer.LevelTriggeredSetContract;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class EpollContractTest extends LevelTriggeredSetContract {

    EpollContractTest() {
        super("epoll");
    }
}
