package dev.sluice.campaign.memory;

import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.sluice.campaign.WatchedJvm;
import dev.sluice.demultiplexer.Mechanism.Mode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The classes that handle a failure must be loaded before the first one: without memory no class can be loaded, and the
 * connection could not be closed.
 */
@EnabledOnOs({OS.LINUX, OS.WINDOWS})
class FirstShortageTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @ParameterizedTest
    @EnumSource
    void aConnectionThatCannotBeServedIsClosed(Mode mode) throws Exception {
        try (WatchedJvm jvm = new WatchedJvm(PATIENCE, List.of("-XX:+UseSerialGC", "-Xmx24m"), FirstShortage.class,
                List.of(mode.name()))) {
            int port = Integer.parseInt(jvm.line());
            for (int i = 0; i < 3; i++) {
                try (ScarceClient client = new ScarceClient(port)) {
                    assertFalse(client.echo(), jvm::output);
                }
            }
        }
    }
}
