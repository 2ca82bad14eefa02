package dev.sluice.samples.oltp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What keeps the servers from starting is said in one line. */
@EnabledOnOs(OS.LINUX)
class OltpCommandLineTest {

    private static final int FAILED = 1;

    @TempDir
    private Path data;

    private static String complaint(String... arguments) throws Exception {
        try (RunningSample sample = SampleCommand.of(arguments).start()) {
            assertEquals(FAILED, sample.awaitExit(), sample.errors()::text);
            assertEquals("", sample.output().text());
            // A front end has connected before, and logs that.
            List<String> said = sample.errors().text().lines().filter(line -> !line.contains(" INFO ")).toList();
            assertEquals(1, said.size(), said::toString);
            assertTrue(said.get(0).startsWith("sluice " + arguments[0] + ": "), said::toString);
            return said.get(0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"leader-followers", "half-sync-half-async"})
    void namesTheAddressThatIsInUse(String pool) throws Exception {
        try (BackEndSample back = BackEndSample.start(data.resolve("first"), pool)) {
            String address = "127.0.0.1:" + back.address().getPort();
            String port = Integer.toString(back.address().getPort());
            for (String said : List.of(
                    complaint("oltp-back", "--data", data.resolve("second").toString(), "--port", port,
                            "--concurrency", pool),
                    complaint("oltp-front", "--back", address, "--port", port, "--concurrency", pool))) {
                assertTrue(said.contains(address) && said.contains("EADDRINUSE"), said);
            }
            back.stop();
        }
    }

    @Test
    void refusesABankThatIsOpen() throws Exception {
        try (BackEndSample first = BackEndSample.startProcess(data, ConcurrencyStrategy.REACTOR_PER_THREAD);
                RespClient client = first.connect()) {
            assertEquals(1L, client.ask("DEPOSIT", 1, 1, 0, 1));
            assertEquals("sluice oltp-back: bank in " + data + ": it is open in another process",
                    complaint("oltp-back", "--data", data.toString(), "--port", "0"));
            assertEquals(2L, client.ask("DEPOSIT", 1, 1, 0, 1));
            first.stop();
        }
    }

    @Test
    void saysWhyThereCanBeNoBank() throws Exception {
        Path file = Files.createFile(data.resolve("file"));
        assertEquals("sluice oltp-back: bank in " + file + ": " + file + ": exists, and is not a directory",
                complaint("oltp-back", "--data", file.toString(), "--port", "0"));
        Path below = file.resolve("bank");
        assertEquals("sluice oltp-back: bank in " + below + ": " + below + ": Not a directory",
                complaint("oltp-back", "--data", below.toString(), "--port", "0"));
        // Directories that no user may write to, not even root.
        String said = complaint("oltp-back", "--data", "/proc/self", "--port", "0");
        assertTrue(said.startsWith("sluice oltp-back: bank in /proc/self: /proc/self/lock: no such file"), said);
        said = complaint("oltp-back", "--data", "/proc/x", "--port", "0");
        assertEquals("sluice oltp-back: bank in /proc/x: /proc/x: no such file or directory", said);
    }

    @Test
    void leavesAloneWhatIsNotOfTheBank() throws Exception {
        Path strange = Files.createDirectories(data.resolve("native")).resolve("libprecious.so");
        Files.writeString(strange, "precious");
        Path left = Files.writeString(data.resolve("native").resolve("sqlite-3-left-by-a-killed-one.so"), "");
        // Only the first bank of a process loads the library.
        try (BackEndSample back = BackEndSample.startProcess(data, ConcurrencyStrategy.REACTOR_PER_THREAD)) {
            back.address();
            back.stop();
        }
        assertEquals("precious", Files.readString(strange));
        assertFalse(Files.exists(left));
    }

    @Test
    void saysThatTheFileIsNoDatabase() throws Exception {
        Files.writeString(data.resolve("bank.db"), "This is no database. ".repeat(1000));
        String said = complaint("oltp-back", "--data", data.toString(), "--port", "0");
        assertTrue(said.contains("bank in " + data + ": ") && said.contains("SQLITE_NOTADB"), said);
    }
}
