package dev.sluice.benchmarks.peers;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.benchmarks.run.Host;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Servers that are starting when another one fails to start. */
@EnabledOnOs(OS.LINUX)
class RunningServersTest {

    @TempDir
    private Path directory;

    @Test
    void endTheOthersIfOneCannotBeStartedAtAll() {
        List<ServerProcess.Starting> started = new ArrayList<>();
        MeasuredPeer first = new MeasuredPeer("first", (host, name) -> {
            started.add(ServerProcess.program(host, name, ServerProcess.freePort(), List.of("sleep", "600")));
            return started.get(0);
        });
        MeasuredPeer second = new MeasuredPeer("second", (host, name) -> {
            throw new IllegalStateException("no such thing");
        });

        assertThrows(IllegalStateException.class,
                () -> RunningServers.start(new Host(directory), List.of(first, second)));

        assertFalse(started.get(0).process().isAlive());
    }
}
