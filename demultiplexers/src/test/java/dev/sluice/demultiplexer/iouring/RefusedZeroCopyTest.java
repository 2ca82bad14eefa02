package dev.sluice.demultiplexer.iouring;

import dev.sluice.demultiplexer.SendContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** A kernel announces sends without copying and refuses each, so that it is made again with a copy. */
@EnabledIfIoUring
class RefusedZeroCopyTest {

    private static LesserKernel.Running running;

    @BeforeAll
    static void runKernel() {
        running = LesserKernel.withoutPromisedZeroCopy().run();
    }

    @AfterAll
    static void leaveKernel() {
        running.close();
    }

    @Nested
    class Sending extends SendContract {
        Sending() {
            super(IoUring.ZERO_COPY_REFUSED);
        }
    }
}
