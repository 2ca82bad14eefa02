package dev.sluice.mechanism.iouring;

import dev.sluice.campaign.Campaign;
import dev.sluice.demultiplexer.LevelTriggeredSetContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;

/** The contract on the oldest kernel that is supported. All that later ones have more, readiness makes no use of. */
@Tag(Campaign.TAG)
@Tag("one-binding")
@EnabledOnOs(OS.LINUX)
@EnabledIf(value = "isAllowed", disabledReason = "this kernel or container refuses io_uring")
@ExtendWith(SampledInShort.class)
class LesserKernelPollContractTest extends LevelTriggeredSetContract {

    private static LesserKernel.Running running;

    LesserKernelPollContractTest() {
        super(IoUringPollDemultiplexer.NAME);
    }

    static boolean isAllowed() {
        return IoUringPollContractTest.isAllowed();
    }

    @BeforeAll
    static void runKernel() {
        running = LesserKernel.LINUX_5_11.run();
    }

    @AfterAll
    static void leaveKernel() {
        running.close();
    }
}
