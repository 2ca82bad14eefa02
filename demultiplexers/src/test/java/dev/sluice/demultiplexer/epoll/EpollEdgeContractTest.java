package dev.sluice.demultiplexer.epoll;

import dev.sluice.demultiplexer.EdgeTriggeredSetContract;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class EpollEdgeContractTest extends EdgeTriggeredSetContract {

    EpollEdgeContractTest() {
        super("epoll-edge");
    }
}
