package dev.sluice.samples.oltp.frontend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Patience;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.samples.oltp.DepositLoad;
import dev.sluice.samples.oltp.DepositLoad.Acknowledged;
import dev.sluice.samples.oltp.OltpSystem;
import dev.sluice.samples.oltp.RespClient;
import dev.sluice.samples.oltp.RespClients;
import dev.sluice.testing.Depth;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Fewer threads than clients, and all of them wait in the pool that receives what they wait for. */
@EnabledOnOs(OS.LINUX)
class HybridPoolTest {

    private static final String LONG = Long.toString(2 * Patience.LIMIT.toMillis());

    @TempDir
    private Path directory;

    static Stream<Integer> fewThreads(TestInfo test) {
        return Depth.first(test, Stream.of(1, 2), 1);
    }

    @ParameterizedTest
    @MethodSource("fewThreads")
    void servesOthersWhileAllThreadsWait(int threads) throws Exception {
        try (OltpSystem system = OltpSystem.startRelayed(directory, ConcurrencyStrategy.LEADER_FOLLOWERS,
                "--threads", "" + threads,
                "--timeout", LONG); RespClients waiting = new RespClients(); RespClient other = system.connect()) {
            system.relay().hold();
            for (int i = 0; i < threads + 1; i++) {
                waiting.connect(system.front().awaitAddress()).send(RespClient.request("DEPOSIT", 0, 0, 0, 1));
            }
            int all = threads + 1;
            Patience.until("each waits", () -> info(other).contains("sent=" + all + ","));
            for (int i = 1; i <= 100; i++) {
                assertEquals((long) i, other.ask("DEPOSIT", 1000, 5, 1, 1));
            }
            system.relay().release();
            assertAnswered(waiting);
            system.stop();
        }
    }

    @Test
    void postponesWhatIsTooMuch() throws Exception {
        try (OltpSystem system = OltpSystem.startRelayed(directory, ConcurrencyStrategy.LEADER_FOLLOWERS,
                "--threads", "2", "--timeout", LONG); RespClients waiting = new RespClients();
                RespClient other = system.connect()) {
            system.relay().hold();
            // Two threads take on eight clients, and who asks for INFO is one of them.
            for (int i = 0; i < 100; i++) {
                waiting.connect(system.front().awaitAddress()).send(RespClient.request("DEPOSIT", 0, 0, 0, 1));
                if (waiting.count() == 7) {
                    Patience.until("seven wait", () -> info(other).contains("sent=7,"));
                }
            }
            system.relay().release();
            assertAnswered(waiting);
            system.stop();
        }
    }

    /** Each with a balance of its own. */
    private static void assertAnswered(RespClients waiting) throws Exception {
        List<Object> replies = new ArrayList<>();
        for (RespClient client : waiting) {
            replies.add(client.receive());
        }
        for (long balance = 1; balance <= waiting.count(); balance++) {
            assertTrue(replies.remove(balance), replies::toString);
        }
    }

    private static String info(RespClient client) throws Exception {
        return client.ask("INFO", "back-ends").toString();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void keepsTheBooks(int threads) throws Exception {
        try (OltpSystem system = OltpSystem.start(directory, ConcurrencyStrategy.LEADER_FOLLOWERS,
                "--threads", "" + threads)) {
            Map<String, Acknowledged> acknowledged =
                    DepositLoad.start(system.front().awaitAddress(), 60, 20).await();
            assertEquals(1200, acknowledged.size());
            for (int i = 0; i < OltpSystem.BACK_ENDS; i++) {
                assertEquals("holds", system.backEnd(i).info("totals").get("invariant"));
            }
            system.stop();
            for (int i = 0; i < OltpSystem.BACK_ENDS; i++) {
                DepositLoad.assertBooks(system.data(i),
                        DepositLoad.ofBackEnd(acknowledged, i, OltpSystem.BACK_ENDS));
            }
        }
    }
}
