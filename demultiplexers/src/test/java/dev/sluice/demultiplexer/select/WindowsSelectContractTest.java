package dev.sluice.demultiplexer.select;

import dev.sluice.demultiplexer.LevelTriggeredSetContract;
import org.junit.jupiter.api.Tag;

@Tag("windows")
class WindowsSelectContractTest extends LevelTriggeredSetContract {

    WindowsSelectContractTest() {
        super("select");
    }
}
