package dev.sluice.demultiplexers.kqueue;

import dev.sluice.demultiplexer.EdgeTriggerContract;
import dev.sluice.demultiplexer.IterativeHandleSetContract;
import dev.sluice.demultiplexer.ScaleContract;
import dev.sluice.demultiplexer.SynchronousDemultiplexerContract;
import org.junit.jupiter.api.Nested;

@EnabledIfKqueue
class KqueueClearContractTest extends SynchronousDemultiplexerContract {

    private static final String NAME = "kqueue-clear";

    KqueueClearContractTest() {
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
