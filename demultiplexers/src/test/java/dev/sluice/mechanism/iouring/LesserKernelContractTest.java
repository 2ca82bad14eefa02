package dev.sluice.mechanism.iouring;

import dev.sluice.campaign.Campaign;
import dev.sluice.demultiplexer.AsynchronousDemultiplexerContract;
import dev.sluice.demultiplexer.AsynchronousEventDemultiplexer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract on kernels that lack what the newest has and that can be done without. */
@Tag(Campaign.TAG)
@Tag("one-binding")
@EnabledOnOs(OS.LINUX)
@EnabledIf(value = "isAllowed", disabledReason = "this kernel or container refuses io_uring")
@ParameterizedClass(name = "{0}")
@MethodSource("kernels")
@ExtendWith(SampledInShort.class)
class LesserKernelContractTest extends AsynchronousDemultiplexerContract {

    private static LesserKernel.Running running;

    @Parameter
    LesserKernel kernel;

    static boolean isAllowed() {
        return IoUringContractTest.isAllowed();
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

    @Override
    protected AsynchronousEventDemultiplexer open() throws IOException {
        return new IoUringDemultiplexer();
    }

    @Override
    protected AsynchronousEventDemultiplexer openSmall() throws IOException {
        return new IoUringDemultiplexer(IoUringContractTest.SMALL, false);
    }
}
