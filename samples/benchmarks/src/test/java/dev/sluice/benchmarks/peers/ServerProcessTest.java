package dev.sluice.benchmarks.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.benchmarks.run.Host;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a server leaves when it is ended. */
class ServerProcessTest {

    @TempDir
    private Path directory;

    @Test
    void leavesNoTemporaryFile() throws Exception {
        try (ServerProcess server = ServerProcess.java(new Host(directory), "leaving", List.of(), LeavingServer.class)
                .await()) {
            assertEquals(1, server.port());
            assertEquals(1, temporaryFiles());
        }
        assertEquals(0, temporaryFiles());
    }

    private long temporaryFiles() throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(each -> each.getFileName().toString().startsWith(LeavingServer.LEFT)).count();
        }
    }
}
