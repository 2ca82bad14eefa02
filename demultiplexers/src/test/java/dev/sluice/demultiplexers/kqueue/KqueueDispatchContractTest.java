package dev.sluice.demultiplexers.kqueue;

import dev.sluice.demultiplexer.ConcurrentHandleSetContract;
import dev.sluice.demultiplexer.OneShotTriggerContract;
import dev.sluice.demultiplexer.ScaleContract;
import dev.sluice.demultiplexer.SynchronousDemultiplexerContract;
import org.junit.jupiter.api.Nested;

@EnabledIfKqueue
class KqueueDispatchContractTest extends SynchronousDemultiplexerContract {

    private static final String NAME = "kqueue-dispatch";

    KqueueDispatchContractTest() {
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
