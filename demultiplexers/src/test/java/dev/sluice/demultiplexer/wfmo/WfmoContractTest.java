package dev.sluice.demultiplexer.wfmo;

import dev.sluice.demultiplexer.OneShotSetContract;
import org.junit.jupiter.api.Tag;

@Tag("windows")
class WfmoContractTest extends OneShotSetContract {

    WfmoContractTest() {
        super("wfmo");
    }
}
