package dev.sluice.demultiplexer.select;

import dev.sluice.calls.layout.FdSet;
import dev.sluice.demultiplexer.DescriptorLimitContract;
import dev.sluice.demultiplexer.IterativeHandleSetContract;
import dev.sluice.demultiplexer.LevelTriggerContract;
import dev.sluice.demultiplexer.SynchronousDemultiplexerContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class SelectContractTest extends SynchronousDemultiplexerContract {

    private static final String NAME = "select";

    SelectContractTest() {
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
    class DescriptorLimit extends DescriptorLimitContract {
        DescriptorLimit() {
            super(NAME, FdSet.FD_SETSIZE, "FD_SETSIZE");
        }
    }
}
