package dev.sluice.samples.server;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import dev.sluice.trace.DispatchTrace;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** SIGUSR1, which ends a process that does not listen for it, prints what has been dispatched lately. */
@EnabledOnOs({OS.LINUX, OS.MAC})
class TraceRequestTest {

    private static final String CAPACITY = "60000";

    @AfterEach
    void forgetCapacity() {
        System.clearProperty(DispatchTrace.PROPERTY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"echo --pattern reactor", "echo --pattern proactor", "echo --concurrency leader-followers",
        "echo --concurrency thread-pool", "web", "logging", "dns", "levels --levels one=2",
        "hybrid --peer 127.0.0.1:9", "gnutella", "haboob", "gopher .", "oltp-back --data DIRECTORY",
        "oltp-front --back 127.0.0.1:9"})
    void isPrintedAndTheServerGoesOn(String sample, @TempDir Path directory) throws Exception {
        // A loop looks for it when it is opened.
        System.setProperty(DispatchTrace.PROPERTY, CAPACITY);
        assertPrinted(SampleCommand.of((sample.replace("DIRECTORY", directory.toString()) + " --port 0").split(" ")));
    }

    @Test
    void isPrintedByAProcess() throws Exception {
        assertPrinted(SampleCommand.of("echo", "--port", "0")
                .withOption("-D" + DispatchTrace.PROPERTY + "=" + CAPACITY));
    }

    private static void assertPrinted(SampleCommand command) throws Exception {
        try (RunningSample server = command.start()) {
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
