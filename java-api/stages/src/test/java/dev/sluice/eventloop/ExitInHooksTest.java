package dev.sluice.eventloop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.campaign.WatchedJvm;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * {@code System.exit} in a hook does not return before the shutdown hooks, and a shutdown hook that closes the loop
 * waits for the hook: the close says so instead, and the process ends.
 */
@EnabledOnOs(OS.LINUX)
class ExitInHooksTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String REFUSED = ": has called exit";

    @Test
    void closeDuringShutdownDoesNotWaitForThreadThatExits() throws Exception {
        try (WatchedJvm jvm = new WatchedJvm(TIMEOUT, List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
                "-Xmx64m"), ExitInHooks.class, List.of())) {
            for (String expected : Stream.concat(
                    Stream.of("REACTOR", "SHARED_REACTOR", "CLOSED_REACTOR", "PROACTOR", "GROUP", "POOL_WITH_LEADER",
                            "CONCURRENT_POOL", "STOP_OF_STAGE", "CONTROLLER").map(kind -> kind + REFUSED),
                    Stream.of("STAGE: closed", "timeout: has not left")).toList()) {
                assertEquals(expected, jvm.line(), jvm::output);
            }
            jvm.awaitEnd();
        }
    }
}
