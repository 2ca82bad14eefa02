package dev.sluice.samples.server;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import java.nio.file.Path;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** SIGUSR1, which ends a process that does not listen for it, prints what has been dispatched lately. */
@EnabledOnOs({OS.LINUX, OS.MAC})
class TraceRequestTest {

    @ParameterizedTest
    @ValueSource(strings = {"echo --pattern reactor", "echo --pattern proactor", "echo --concurrency leader-followers",
        "echo --concurrency thread-pool", "web", "logging", "dns", "levels --levels one=2",
        "hybrid --peer 127.0.0.1:9", "gnutella", "haboob", "gopher .", "oltp-back --data DIRECTORY",
        "oltp-front --back 127.0.0.1:9"})
    void isPrintedAndTheServerGoesOn(String sample, @TempDir Path directory) throws Exception {
        String[] command = (sample.replace("DIRECTORY", directory.toString()) + " --port 0").split(" ");
        try (RunningSample server = SampleCommand.of(command)
                .withOption("-Dsluice.trace=60000").start()) {
            server.awaitReadyLine();
            for (int i = 0; i < 2; i++) {
                server.signal("USR1");
            }
            server.errors().awaitLine("a trace", line -> line.startsWith("trace of "));
            assertTrue(server.isAlive());
            server.stop();
        }
    }
}
