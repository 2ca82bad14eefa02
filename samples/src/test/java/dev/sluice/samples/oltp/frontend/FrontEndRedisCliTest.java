package dev.sluice.samples.oltp.frontend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.ForeignProgram;
import dev.sluice.samples.oltp.OltpSystem;
import dev.sluice.samples.oltp.PoolModels;
import dev.sluice.samples.oltp.pool.PoolModel;
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

    @TempDir
    private Path directory;

    @ParameterizedTest
    @MethodSource(PoolModels.AVAILABLE)
    void answersRedisCli(PoolModel pool) throws Exception {
        try (OltpSystem system = OltpSystem.start(directory, pool)) {
            assertEquals("PONG\n", say(system, "PING"));
            assertEquals("25\n", say(system, "DEPOSIT", "1001", "5", "1", "25", "first"));
            assertEquals("10\n", say(system, "DEPOSIT", "1001", "5", "1", "-15"));
            assertEquals("25\n", say(system, "DEPOSIT", "1001", "5", "1", "25", "first"));
            assertEquals("10\n", say(system, "BALANCE", "1001"));
            assertEquals("ERR there is no account 4000\n\n", say(system, "BALANCE", "4000"));
            String info = say(system, "INFO");
            assertTrue(info.contains("\npool:" + pool + "\r\n") && info.contains("\nback_end_1:"), info);
            String commands = say(system, "COMMAND");
            assertTrue(commands.contains("deposit"), commands);
            system.stop();
        }
    }

    private static String say(OltpSystem system, String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of("redis-cli", "-p",
                Integer.toString(system.front().awaitAddress().getPort())));
        command.addAll(List.of(words));
        return ForeignProgram.run(command).text();
    }
}
