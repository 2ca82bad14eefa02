package dev.sluice.demultiplexers.wfmo;

import dev.sluice.demultiplexer.ConcurrentHandleSetContract;
import dev.sluice.demultiplexer.OneShotTriggerContract;
import dev.sluice.demultiplexer.SynchronousDemultiplexerContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

@Tag("windows")
class WfmoContractTest extends SynchronousDemultiplexerContract {

    private static final String NAME = "wfmo";

    WfmoContractTest() {
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
}
