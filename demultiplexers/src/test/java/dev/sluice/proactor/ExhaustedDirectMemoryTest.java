package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.campaign.WatchedJvm;
import dev.sluice.testing.Depth;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The virtual machine makes a thread sleep before it refuses direct memory. A loop does not ask it for any: it serves
 * while there is none.
 */
@Tag(Depth.BINDING)
class ExhaustedDirectMemoryTest {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @Test
    void aLoopServesWithoutDirectMemoryOfTheVirtualMachine() throws Exception {
        try (WatchedJvm jvm = new WatchedJvm(PATIENCE, List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
                "-Xmx128m", "-XX:MaxDirectMemorySize=1m"), ExhaustedDirectMemory.class, List.of("auto"))) {
            assertEquals("exhausted true", jvm.line());
            assertEquals("served", jvm.line(), jvm::output);
            assertEquals("held true", jvm.line());
            jvm.awaitEnd();
        }
    }
}
