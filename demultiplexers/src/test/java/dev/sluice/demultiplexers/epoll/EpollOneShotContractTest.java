package dev.sluice.demultiplexers.epoll;

import dev.sluice.demultiplexer.ConcurrentHandleSetContract;
import dev.sluice.demultiplexer.OneShotTriggerContract;
import dev.sluice.demultiplexer.ScaleContract;
import dev.sluice.demultiplexer.SynchronousDemultiplexerContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class EpollOneShotContractTest extends SynchronousDemultiplexerContract {

    private static final String NAME = "epoll-one-shot";

    EpollOneShotContractTest() {
        super(NAME);
    }

    @Nested
    class WhenReady extends OneShotTriggerContract {
        WhenReady() {
            super(NAME);
        }
    }

    @Nested
    class HandleSet extends ConcurrentHandleSetContract {
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
