package dev.sluice.demultiplexers.epoll;

import dev.sluice.demultiplexer.EdgeTriggerContract;
import dev.sluice.demultiplexer.IterativeHandleSetContract;
import dev.sluice.demultiplexer.ScaleContract;
import dev.sluice.demultiplexer.SynchronousDemultiplexerContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class EpollEdgeContractTest extends SynchronousDemultiplexerContract {

    private static final String NAME = "epoll-edge";

    EpollEdgeContractTest() {
        super(NAME);
    }

    @Nested
    class WhenReady extends EdgeTriggerContract {
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
