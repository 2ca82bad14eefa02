package dev.sluice.demultiplexer.epoll;

import dev.sluice.demultiplexer.OneShotSetContract;
import dev.sluice.demultiplexer.ScaleContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class EpollOneShotContractTest extends OneShotSetContract {

    private static final String NAME = "epoll-one-shot";

    EpollOneShotContractTest() {
        super(NAME);
    }

    @Nested
    class Scale extends ScaleContract {
        Scale() {
            super(NAME);
        }
    }
}
