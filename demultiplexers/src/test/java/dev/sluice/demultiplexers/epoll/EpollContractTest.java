package dev.sluice.demultiplexers.epoll;

import dev.sluice.demultiplexer.IterativeHandleSetContract;
import dev.sluice.demultiplexer.LevelTriggerContract;
import dev.sluice.demultiplexer.ScaleContract;
import dev.sluice.demultiplexer.SynchronousDemultiplexerContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class EpollContractTest extends SynchronousDemultiplexerContract {

    private static final String NAME = "epoll";

    EpollContractTest() {
        super(NAME);
    }

    @Nested
    class WhenReady extends LevelTriggerContract {
        WhenReady() {
            super(NAME);
        }
    }

    @Nested
    class HandleSet extends IterativeHandleSetContract {
        HandleSet() {
            super(NAME);
        }
    }

    @Nested
    class Scale extends ScaleContract {
        Scale() {
            super(NAME);
        }
    }
}
