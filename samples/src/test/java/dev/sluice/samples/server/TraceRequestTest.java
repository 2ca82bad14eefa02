package dev.sluice.samples.server;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.SampleCommand;
import dev.sluice.samples.SampleProcess;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** SIGUSR1, which ends a process that does not listen for it, prints what has been dispatched lately. */
@EnabledOnOs({OS.LINUX, OS.MAC})
class TraceRequestTest {

    @ParameterizedTest
    @ValueSource(strings = {"echo --pattern reactor", "echo --pattern proactor", "echo --concurrency leader-followers",
        "echo --concurrency thread-pool", "web", "logging", "dns", "levels --levels one=2",
        "hybrid --peer 127.0.0.1:9", "gnutella", "haboob"})
    void isPrintedAndTheServerGoesOn(String sample) throws Exception {
        try (SampleProcess server = SampleCommand.of((sample + " --port 0").split(" "))
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
