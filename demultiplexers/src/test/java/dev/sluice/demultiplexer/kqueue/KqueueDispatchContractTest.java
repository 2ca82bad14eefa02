package dev.sluice.demultiplexer.kqueue;

import dev.sluice.demultiplexer.OneShotSetContract;
import dev.sluice.demultiplexer.ScaleContract;
import org.junit.jupiter.api.Nested;

@EnabledIfKqueue
class KqueueDispatchContractTest extends OneShotSetContract {

    private static final String NAME = "kqueue-dispatch";

    KqueueDispatchContractTest() {
        super(NAME);
    }

    @Nested
    class Scale extends ScaleContract {
        Scale() {
            super(NAME);
        }
    }
}
