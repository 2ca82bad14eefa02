package dev.sluice.demultiplexer.iouring;

import dev.sluice.campaign.Campaign;
import dev.sluice.demultiplexer.AsynchronousTransferContract;
import dev.sluice.testing.Depth;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag(Campaign.TAG)
@Tag(Depth.IN_MATRIX)
@EnabledIfIoUring
class LesserKernelZeroCopyTransferContractTest extends AsynchronousTransferContract {

    private static LesserKernel.Running running;

    LesserKernelZeroCopyTransferContractTest() {
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
