package dev.sluice.demultiplexer.iouring;

import dev.sluice.campaign.Campaign;
import dev.sluice.demultiplexer.SingleThreadedDemultiplexerContract;
import dev.sluice.testing.Depth;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag(Campaign.TAG)
@Tag(Depth.IN_MATRIX)
@EnabledIfIoUring
class LesserKernelZeroCopyContractTest extends SingleThreadedDemultiplexerContract {

    private static LesserKernel.Running running;

    LesserKernelZeroCopyContractTest() {
        super(IoUring.ZERO_COPY_REFUSED);
    }

    @BeforeAll
    static void runKernel() {
        running = LesserKernel.withoutPromisedZeroCopy().run();
    }

    @AfterAll
    static void leaveKernel() {
        running.close();
    }
}
