package dev.sluice.mechanism.afd;

import dev.sluice.demultiplexer.LevelTriggeredSetContract;
import org.junit.jupiter.api.Tag;

@Tag("windows")
class AfdContractTest extends LevelTriggeredSetContract {

    AfdContractTest() {
        super("afd");
    }
}
