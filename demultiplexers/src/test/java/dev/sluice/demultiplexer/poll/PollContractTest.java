package dev.sluice.demultiplexer.poll;

import dev.sluice.demultiplexer.LevelTriggeredSetContract;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class PollContractTest extends LevelTriggeredSetContract {

    PollContractTest() {
        super("poll");
    }
}
