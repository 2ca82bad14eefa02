package dev.sluice.samples.logging;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Where the lines go. */
@EnabledOnOs(OS.LINUX)
class LoggingDestinationTest {

    @TempDir
    private Path directory;

    @Test
    void theConsoleUnlessThereIsAFile() throws Exception {
        try (RunningSample logging = SampleCommand.of("logging", "--port", "0").start();
                SyslogClient client = new SyslogClient(logging.awaitAddress())) {
            client.send("<13>a record\n");
            logging.output().awaitLine("record", "<13>a record"::equals);
            logging.stop();
            assertEquals(List.of(logging.awaitReadyLine(), "<13>a record"), logging.output().lines());
        }
    }

    @Test
    void theFileAlone() throws Exception {
        try (LoggingSample logging = LoggingSample.start(directory); SyslogClient client = logging.connect()) {
            client.send("<13>a record\n");
            logging.awaitLines("<13>a record");
            logging.stop();
            assertEquals(1, logging.process().output().lines().size());
        }
    }

    @Test
    void both() throws Exception {
        try (LoggingSample logging = LoggingSample.start(directory, "--console");
                SyslogClient client = logging.connect()) {
            client.send("<13>first\n<13>second\n");
            logging.awaitLines("<13>first", "<13>second");
            logging.stop();
            assertEquals(List.of(logging.process().awaitReadyLine(), "<13>first", "<13>second"),
                    logging.process().output().lines());
        }
    }

    @Test
    void anExistingFileIsAppendedTo() throws Exception {
        Files.writeString(directory.resolve("log"), "<13>from before\n");
        for (String record : List.of("<13>first run", "<13>second run")) {
            try (LoggingSample logging = LoggingSample.start(directory); SyslogClient client = logging.connect()) {
                client.send(record + "\n");
                client.end();
                logging.stop();
            }
        }
        assertEquals("<13>from before\n<13>first run\n<13>second run\n", Files.readString(directory.resolve("log")));
    }
}
