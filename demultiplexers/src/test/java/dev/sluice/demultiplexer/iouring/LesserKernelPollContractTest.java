package dev.sluice.demultiplexer.iouring;

import dev.sluice.campaign.Campaign;
import dev.sluice.demultiplexer.LevelTriggeredSetContract;
import dev.sluice.testing.Depth;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The contract on the oldest kernel that is supported. All that later ones have more, readiness makes no use of. */
@Tag(Campaign.TAG)
@Tag(Depth.IN_MATRIX)
@EnabledIfIoUring
class LesserKernelPollContractTest extends LevelTriggeredSetContract {

    private static LesserKernel.Running running;

    LesserKernelPollContractTest() {
        super(IoUringPollDemultiplexer.NAME);
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
