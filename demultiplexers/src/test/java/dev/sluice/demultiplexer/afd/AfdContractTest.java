package dev.sluice.demultiplexer.afd;

import dev.sluice.demultiplexer.LevelTriggeredSetContract;
import dev.sluice.testing.Depth;
import org.junit.jupiter.api.Tag;

@Tag("windows")
@Tag(Depth.BINDING)
class AfdContractTest extends LevelTriggeredSetContract {

    AfdContractTest() {
        super("afd");
    }
}
