package dev.sluice.stages.io;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.stages.Decision;
import dev.sluice.stages.StageSample;
import dev.sluice.stages.ThreadPoolController;
import dev.sluice.testing.Depth;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The decisions of the default controller of files. */
@Tag(Depth.IN_QUICK)
class FileStageControllerTest {

    private final ThreadPoolController controller = FileStage.newController();

    /** {@return its decision for the given number of files, if none has waited for long} */
    private Decision look(int files, int threads, long handled) {
        return controller.decide(new StageSample(ThreadPoolController.PERIOD.toNanos(), files, 0, Long.MAX_VALUE,
                threads, 0, handled, 0, 0, new long[0]));
    }

    @Test
    void elevenFilesGetAnotherThreadAndTenDoNot() {
        for (int i = 0; i < 10; i++) {
            assertEquals(Decision.NOTHING, look(10, 1, 100));
        }
        for (int threads = 1; threads < 20; threads++) {
            assertEquals(new Decision.Threads(threads + 1), look(11, threads, 100L * threads));
        }
        assertEquals(Decision.NOTHING, look(11, 20, 2000));
    }
}
