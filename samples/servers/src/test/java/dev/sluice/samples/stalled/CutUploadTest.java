package dev.sluice.samples.stalled;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.samples.Patience;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A server is stopped in the middle of uploads, one for each octet after which a client can stop, and has no time for
 * them: it leaves no part of any behind.
 */
@EnabledOnOs(OS.LINUX)
class CutUploadTest {

    private static final String HEAD = "PUT /inbox/file HTTP/1.1\r\nHost: a\r\nContent-Length: 20\r\n\r\n";
    private static final byte[] UPLOAD = (HEAD + "x".repeat(20)).getBytes(ISO_8859_1);
    private static final String SHORTEST_STOP = "0.05";

    @TempDir
    private Path root;

    static Stream<String> servers(TestInfo test) {
        return Stream.concat(Stream.of("haboob --stages coarse", "haboob --stages paper"),
                Depth.some(test, Stream.of(ConcurrencyStrategy.values()).filter(each -> each.unavailable() == null
                        && each != ConcurrencyStrategy.THREAD_POOL)
                        .map(each -> "web --concurrency " + each), 2));
    }

    @ParameterizedTest
    @MethodSource("servers")
    void leavesNothingOfClientsThatStall(String server) throws Exception {
        stopAmid(server, false);
    }

    @ParameterizedTest
    @MethodSource("servers")
    void leavesNothingOfClientsThatLeaveAtTheStop(String server) throws Exception {
        stopAmid(server, true);
    }

    private void stopAmid(String server, boolean leaving) throws Exception {
        Files.createDirectory(root.resolve("inbox"));
        List<String> command = new ArrayList<>(List.of(server.split(" ")));
        command.addAll(List.of("--port", "0", "--root", root.toString(), "--put", "/inbox", "--stop-timeout",
                SHORTEST_STOP));
        List<StallingPeer> peers = new ArrayList<>();
        try (RunningSample sample = SampleCommand.of(command.toArray(String[]::new)).start();
                AutoCloseable all = () -> leave(peers)) {
            for (int octets = 0; octets < UPLOAD.length; octets++) {
                StallingPeer peer = StallingPeer.connect(sample.awaitAddress());
                peers.add(peer);
                peer.say(UPLOAD, octets);
            }
            int begun = UPLOAD.length - HEAD.length();
            Patience.until("all uploads have begun", () -> parts().size() == begun);
            if (leaving) {
                all.close();
            }
            sample.stop();
        }
        assertEquals(List.of(), parts());
    }

    private static void leave(List<StallingPeer> peers) throws IOException {
        for (StallingPeer peer : peers) {
            peer.close();
        }
    }

    private List<Path> parts() throws IOException {
        try (Stream<Path> all = Files.list(root.resolve("inbox"))) {
            return all.toList();
        }
    }
}
