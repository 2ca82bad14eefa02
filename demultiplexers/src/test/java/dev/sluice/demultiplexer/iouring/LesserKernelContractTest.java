package dev.sluice.demultiplexer.iouring;

import dev.sluice.campaign.Campaign;
import dev.sluice.demultiplexer.SingleThreadedDemultiplexerContract;
import dev.sluice.testing.Depth;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract on kernels that lack what the newest has and that can be done without. */
@Tag(Campaign.TAG)
@Tag(Depth.IN_MATRIX)
@EnabledIfIoUring
@ParameterizedClass(name = "{0}")
@MethodSource("kernels")
class LesserKernelContractTest extends SingleThreadedDemultiplexerContract {

    private static LesserKernel.Running running;

    @Parameter
    LesserKernel kernel;

    LesserKernelContractTest() {
        super(IoUring.USUAL);
    }

    static List<LesserKernel> kernels() {
        List<LesserKernel> kernels = new ArrayList<>(LesserKernel.ofThePast());
        if (Campaign.isLong()) {
            kernels.addAll(LesserKernel.lackingOneThing());
        }
        return kernels;
    }

    @BeforeParameterizedClassInvocation
    static void runKernel(LesserKernel kernel) {
        running = kernel.run();
    }

    @AfterParameterizedClassInvocation
    static void leaveKernel() {
        running.close();
    }
}
