package dev.sluice.demultiplexer.iouring;

import dev.sluice.campaign.Campaign;
import dev.sluice.demultiplexer.AsynchronousFileContract;
import dev.sluice.testing.Depth;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@Tag(Campaign.TAG)
@Tag(Depth.IN_MATRIX)
@EnabledIfIoUring
@ParameterizedClass(name = "{0}")
@MethodSource("dev.sluice.demultiplexer.iouring.LesserKernelContractTest#kernels")
class LesserKernelFileContractTest extends AsynchronousFileContract {

    private static LesserKernel.Running running;

    @Parameter
    LesserKernel kernel;

    LesserKernelFileContractTest() {
        super(IoUring.LESSER_KERNEL);
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
