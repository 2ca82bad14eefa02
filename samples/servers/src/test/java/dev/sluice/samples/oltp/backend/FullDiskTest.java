package dev.sluice.samples.oltp.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.ExternalProgram;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.samples.oltp.BackEndSample;
import dev.sluice.samples.oltp.DepositLoad;
import dev.sluice.samples.oltp.DepositLoad.Acknowledged;
import dev.sluice.samples.oltp.RespClient;
import dev.sluice.samples.oltp.RespClient.Failure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A disk that takes no more, for a while: files that may not grow any further. */
@EnabledOnOs(OS.LINUX)
class FullDiskTest {

    @TempDir
    private Path data;

    private static void limitFileSize(BackEndSample back, String limit) throws Exception {
        ExternalProgram prlimit = ExternalProgram.run(List.of("prlimit", "--pid", "" + back.process().pid(),
                "--fsize=" + limit + ":unlimited"));
        assertEquals(0, prlimit.exitCode(), prlimit::errors);
    }

    @Test
    void failsDepositsAndKeepsTheBooks() throws Exception {
        Map<String, Acknowledged> acknowledged = new HashMap<>();
        try (BackEndSample back = BackEndSample.startProcess(data, ConcurrencyStrategy.LEADER_FOLLOWERS);
                RespClient client = back.connect()) {
            int next = 0;
            for (int fill = 0; fill < 3; fill++) {
                limitFileSize(back, "" + (Files.size(data.resolve("bank.db-wal")) + 20_000));
                Object reply = deposit(client, next, acknowledged);
                while (reply instanceof Long) {
                    reply = deposit(client, ++next, acknowledged);
                }
                for (int i = 0; i < 3; i++) {
                    Failure failure = assertInstanceOf(Failure.class, deposit(client, next, acknowledged));
                    assertTrue(failure.message().startsWith("FAIL the bank's database failed: "), failure::message);
                    assertEquals((long) acknowledged.size(), client.ask("BALANCE", 1));
                }
                limitFileSize(back, "unlimited");
                assertInstanceOf(Long.class, deposit(client, next++, acknowledged));
            }
            assertEquals("holds", back.info("totals").get("invariant"));
            back.sample().stop();
        }
        DepositLoad.assertBooks(data, acknowledged);
    }

    private static Object deposit(RespClient client, int number, Map<String, Acknowledged> acknowledged)
            throws Exception {
        Object reply = client.ask("DEPOSIT", 1, 1, 0, 1, "id" + number);
        if (reply instanceof Long balance) {
            assertEquals(acknowledged.size() + 1L, balance);
            acknowledged.put("id" + number, new Acknowledged(1, 1, balance));
        }
        return reply;
    }
}
