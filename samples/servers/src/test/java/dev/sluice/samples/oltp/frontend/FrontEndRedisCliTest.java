package dev.sluice.samples.oltp.frontend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.ExternalProgram;
import dev.sluice.samples.Patience;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.samples.oltp.OltpSystem;
import dev.sluice.samples.oltp.PoolModels;
import dev.sluice.samples.oltp.PoolSection;
import dev.sluice.samples.oltp.RespClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** redis-cli, and what it shows of a front end. */
@EnabledOnOs(OS.LINUX)
class FrontEndRedisCliTest {

    private static final String LONG = Long.toString(2 * Patience.LIMIT.toMillis());

    @TempDir
    private Path directory;

    @ParameterizedTest
    @MethodSource(PoolModels.ONE)
    void answersRedisCli(ConcurrencyStrategy pool) throws Exception {
        try (OltpSystem system = OltpSystem.startRelayed(directory, pool, "--timeout", LONG)) {
            assertEquals("PONG\n", say(system, "PING"));
            assertEquals("25\n", say(system, "DEPOSIT", "1001", "5", "1", "25", "first"));
            assertEquals("10\n", say(system, "DEPOSIT", "1001", "5", "1", "-15"));
            assertEquals("25\n", say(system, "DEPOSIT", "1001", "5", "1", "25", "first"));
            assertEquals("10\n", say(system, "BALANCE", "1001"));
            assertEquals("ERR no such account: 4000\n\n", say(system, "BALANCE", "4000"));
            String info = say(system, "INFO");
            assertTrue(info.contains("\npool:" + pool + "\r\n") && info.contains("\nback_end_1:"), info);
            PoolSection.check(pool, () -> say(system, "INFO", "pool"));
            if (pool != ConcurrencyStrategy.REACTOR_PER_THREAD) {
                showsBusyThreads(system);
            }
            String commands = say(system, "COMMAND");
            assertTrue(commands.contains("deposit"), commands);
            system.stop();
        }
    }

    private static void showsBusyThreads(OltpSystem system) throws Exception {
        try (RespClient waiting = system.connect()) {
            system.relay().hold();
            waiting.send(RespClient.request("DEPOSIT", 1, 0, 0, 1));
            // And the thread that answers.
            Patience.until("one waits", () -> new PoolSection(say(system, "INFO", "pool")).number("pool_busy") == 2);
            system.relay().release();
            assertEquals(1L, waiting.receive());
        }
    }

    private static String say(OltpSystem system, String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of("redis-cli", "-p",
                Integer.toString(system.front().awaitAddress().getPort())));
        command.addAll(List.of(words));
        return ExternalProgram.run(command).text();
    }
}
