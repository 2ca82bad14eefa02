package dev.sluice.samples.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.campaign.Campaign;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Shows that {@link SoakTest} would notice a leak, with a server that has one. */
@Tag(Campaign.TAG)
@Tag(Depth.IN_MATRIX)
@EnabledOnOs(OS.LINUX)
class LeakNoticedTest {

    private static final int ROUNDS = 16;
    private static final Duration ROUND = Duration.ofMillis(500);
    /** In a round; what varies by itself hides one byte a message of fewer. */
    private static final int MESSAGES = 5_000;
    private static final int CONNECTIONS = 300;

    @TempDir
    private Path directory;

    private static Findings run(ObservedServer server, Conversation conversation, int minMessages) throws Exception {
        Target target = new Target(server, new byte[] {1}).talkedTo(conversation);
        new Soak(Campaign.begin("leak"), List.of(target), ROUNDS, ROUND, minMessages, Duration.ZERO).run();
        return Findings.of(target);
    }

    private ObservedServer start(Leak leak) throws Exception {
        return ObservedServer.start("echo", directory, leak, "echo", "--port", "0", "--demultiplexer", "epoll");
    }

    @ParameterizedTest
    @EnumSource(names = {"HEAP", "NATIVE"})
    void ofOneByteAMessage(Leak leak) throws Exception {
        try (ObservedServer server = start(leak)) {
            assertNoticed(Allowance.valueOf(leak.name()),
                    run(server, new EchoConversation(server.address()), MESSAGES));
        }
    }

    @Test
    void ofADescriptorInAThousandConnections() throws Exception {
        try (ObservedServer server = start(Leak.DESCRIPTOR)) {
            InetSocketAddress address = server.address();
            assertNoticed(Allowance.DESCRIPTORS, run(server, random -> connect(address), CONNECTIONS));
        }
    }

    private static void assertNoticed(Allowance what, Findings findings) {
        assertEquals(1, findings.wrong().size(), () -> findings.wrong() + "\n" + findings);
        assertTrue(findings.wrong().get(0).endsWith(what.title()), () -> findings.wrong() + "\n" + findings);
    }

    private static int connect(InetSocketAddress address) throws IOException {
        try (PlainClient client = new PlainClient(address)) {
            client.send(new byte[] {1});
            client.expect(new byte[] {1}, 0, 1);
            client.endOutput();
            client.expectEnd();
        }
        return 1;
    }
}
