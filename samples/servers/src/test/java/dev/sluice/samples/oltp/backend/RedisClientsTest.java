package dev.sluice.samples.oltp.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.ExternalProgram;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.samples.oltp.BackEndSample;
import dev.sluice.samples.oltp.PoolModels;
import dev.sluice.samples.oltp.PoolSection;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** redis-cli and redis-benchmark. */
@EnabledOnOs(OS.LINUX)
class RedisClientsTest {

    @TempDir
    private Path data;

    private static void assertSays(String expected, ExternalProgram cli) {
        assertEquals(expected + "\n", cli.text());
        assertEquals("", cli.errors());
    }

    @ParameterizedTest
    @MethodSource(PoolModels.AVAILABLE)
    void redisCli(ConcurrencyStrategy pool) throws Exception {
        try (BackEndSample back = BackEndSample.start(data, pool)) {
            assertSays("PONG", back.redis("redis-cli", "PING"));
            assertSays("25", back.redis("redis-cli", "DEPOSIT", 1001, 5, 1, 25, "first"));
            assertSays("10", back.redis("redis-cli", "DEPOSIT", 1001, 5, 1, -15));
            assertSays("25", back.redis("redis-cli", "DEPOSIT", 1001, 5, 1, 25, "first"));
            assertSays("10", back.redis("redis-cli", "BALANCE", 1001));
            assertSays("ERR no such account: 4000\n", back.redis("redis-cli", "BALANCE", 4000));
            String info = back.redis("redis-cli", "INFO").text();
            assertTrue(info.contains("\npool:" + pool + "\r\n") && info.contains("\ndeposits:2\r\n"), info);
            PoolSection.check(pool, () -> back.redis("redis-cli", "INFO", "pool").text());
            String commands = back.redis("redis-cli", "COMMAND").text();
            assertTrue(commands.contains("deposit"), commands);
            back.stop();
        }
    }

    @ParameterizedTest
    @MethodSource(PoolModels.ONE)
    void redisBenchmark(ConcurrencyStrategy pool) throws Exception {
        try (BackEndSample back = BackEndSample.start(data, pool)) {
            for (String pipelined : new String[] {"1", "16"}) {
                ExternalProgram benchmark = back.redis("redis-benchmark", "-q", "-n", 2000, "-c", 20, "-P", pipelined,
                        "-r", BackEndSample.ACCOUNTS, "DEPOSIT", "__rand_int__", 1, 0, 3);
                assertEquals(0, benchmark.exitCode(), benchmark::text);
                assertTrue(benchmark.text().contains("requests per second"), benchmark::text);
            }
            ExternalProgram pings = back.redis("redis-benchmark", "-q", "-n", 2000, "-t", "ping");
            assertTrue(pings.text().contains("PING_INLINE") && pings.text().contains("PING_MBULK"), pings::text);
            Map<String, String> totals = back.info("totals");
            assertEquals("holds", totals.get("invariant"));
            assertEquals("12000", totals.get("accounts"));
            assertEquals("4000", totals.get("deposits"));
            back.stop();
        }
    }
}
