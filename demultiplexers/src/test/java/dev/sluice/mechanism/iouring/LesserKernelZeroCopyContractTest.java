package dev.sluice.mechanism.iouring;

import dev.sluice.campaign.Campaign;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/** The contract where each send without copying is refused as it is made, and has to be made again with a copy. */
@Tag(Campaign.TAG)
@Tag("one-binding")
@ExtendWith(SampledInShort.class)
class LesserKernelZeroCopyContractTest extends IoUringZeroCopyContractTest {

    private static LesserKernel.Running running;

    @BeforeAll
    static void runKernel() {
        running = LesserKernel.withoutPromisedZeroCopy().run();
    }

    @AfterAll
    static void leaveKernel() {
        running.close();
    }

    @Override
    protected boolean cancellingASendResets() {
        return false;
    }
}
