package dev.sluice.mechanism.iouring;

import dev.sluice.demultiplexer.Demultiplexers;
import dev.sluice.demultiplexer.LevelTriggeredSetContract;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
@EnabledIf(value = "isAllowed", disabledReason = "this kernel or container refuses io_uring")
class IoUringPollContractTest extends LevelTriggeredSetContract {

    IoUringPollContractTest() {
        super(IoUringPollDemultiplexer.NAME);
    }

    static boolean isAllowed() {
        return Demultiplexers.available().stream()
                .anyMatch(factory -> factory.name().equals(IoUringPollDemultiplexer.NAME)
                        && factory.availability().usable());
    }
}
