package dev.sluice.samples.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Background;
import dev.sluice.samples.ExternalProgram;
import dev.sluice.samples.FreePort;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import dev.sluice.samples.lines.LineClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A server whose event loop logs what its clients do wrong, while its log is not read. */
@EnabledOnOs(OS.LINUX)
class StandardErrorTest {

    /** Together more than a pipe takes. */
    private static final int CLIENTS = 500;

    @TempDir
    private Path directory;

    @Test
    void stoppedReaderDelaysNoClient() throws Exception {
        Path pipe = directory.resolve("pipe");
        ExternalProgram.run(List.of("mkfifo", pipe.toString()));
        int port = FreePort.find();
        // To open a FIFO for both reading and writing does not wait.
        try (RunningSample hybrid = SampleCommand.of("hybrid", "--port", "" + port, "--peer", "127.0.0.1:" + port)
                .after("exec 2<>'" + pipe + "'").startProcess()) {
            hybrid.awaitAddress();
            for (int i = 0; i < CLIENTS; i++) {
                try (LineClient client = new LineClient(port)) {
                    client.send(i + " \u001b[31m" + "x".repeat(200) + "\n");
                    assertNull(client.answer());
                }
            }
            Background<String> log = Background.run(
                    () -> new String(Files.readAllBytes(pipe), StandardCharsets.UTF_8));
            try (LineClient client = new LineClient(port)) {
                assertEquals("9 1", client.ask("9 1"));
            }
            hybrid.stop();
            List<String> lines = log.result().lines().filter(line -> line.contains("expected 'ID N'")).toList();
            assertEquals(CLIENTS, lines.size());
            assertTrue(lines.stream().allMatch(line -> line.contains(" #033[31mxxx")), () -> lines.get(0));
        }
    }
}
