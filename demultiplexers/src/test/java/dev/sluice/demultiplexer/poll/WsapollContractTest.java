package dev.sluice.demultiplexer.poll;

import dev.sluice.demultiplexer.LevelTriggeredSetContract;
import org.junit.jupiter.api.Tag;

@Tag("windows")
class WsapollContractTest extends LevelTriggeredSetContract {

    WsapollContractTest() {
        super("wsapoll");
    }
}
