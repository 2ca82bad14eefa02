package dev.sluice.samples.logging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Patience;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** SIGHUP, as logrotate(8) sends it when it has moved the file away. */
@EnabledOnOs(OS.LINUX)
class LoggingRotationTest {

    @TempDir
    private Path directory;
    private Path file;
    private Path old;

    @BeforeEach
    void name() {
        file = directory.resolve("log");
        old = directory.resolve("log.1");
    }

    @Test
    void aHangUpOpensTheFileAnew() throws Exception {
        try (LoggingSample logging = LoggingSample.start(directory); SyslogClient client = logging.connect()) {
            client.send("<13>before\n");
            logging.awaitLines("<13>before");
            Files.move(file, old);
            logging.process().hangUp();
            Patience.until("there is a new file", () -> Files.exists(file));
            client.send("<13>after\n");
            logging.awaitLines("<13>after");
            logging.stop();
            assertEquals(List.of("<13>before"), Files.readAllLines(old));
        }
    }

    @Test
    void theOldFileGoesOnIfThereIsNoNewOne() throws Exception {
        try (LoggingSample logging = LoggingSample.start(directory); SyslogClient client = logging.connect()) {
            client.send("<13>before\n");
            logging.awaitLines("<13>before");
            Files.move(file, old);
            Files.createDirectory(file);
            logging.process().hangUp();
            logging.process().errors().awaitLine("complaint", line -> line.contains("cannot be reopened"));
            client.send("<13>after\n");
            Patience.until("it is written", () -> Files.readAllLines(old).equals(List.of("<13>before", "<13>after")));
            logging.stop();
        }
    }

    @Test
    void lossIsReportedIfADeletedFileCannotBeReopened() throws Exception {
        try (LoggingSample logging = LoggingSample.start(directory); SyslogClient client = logging.connect()) {
            client.send("<13>before\n");
            logging.awaitLines("<13>before");
            Files.delete(file);
            Files.createDirectory(file);
            logging.process().hangUp();
            logging.process().errors().awaitLine("the loss", line -> line.contains("log has been deleted"));
            Files.delete(file);
            logging.process().hangUp();
            Patience.until("there is a new file", () -> Files.exists(file));
            client.send("<13>after\n");
            logging.awaitLines("<13>after");
            logging.stop();
        }
    }

    @Test
    void lossIsReportedAtTheStopIfTheFileIsDeleted() throws Exception {
        try (LoggingSample logging = LoggingSample.start(directory); SyslogClient client = logging.connect()) {
            client.send("<13>before\n");
            logging.awaitLines("<13>before");
            Files.delete(file);
            logging.stop();
            String said = logging.process().errors().text();
            assertTrue(said.contains(file + " has been deleted"), said);
        }
    }

    @Test
    void withoutAFileAHangUpIsTheEnd() throws Exception {
        try (RunningSample logging = SampleCommand.of("logging", "--port", "0").start();
                SyslogClient client = new SyslogClient(logging.awaitAddress())) {
            client.send("<13>before\n");
            logging.output().awaitLine("the record", "<13>before"::equals);
            logging.hangUp();
            client.expectEnd();
            assertEquals(0, logging.awaitExit());
            assertTrue(logging.errors().text().contains("1 records accepted"), logging.errors()::text);
        }
    }
}
