package dev.sluice.samples.logging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.samples.Patience;
import dev.sluice.samples.Programs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** logger(1) of util-linux, which shows on its standard error what it sends. */
@EnabledOnOs(OS.LINUX)
class LoggingForeignClientTest {

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {
        "--tcp --octet-count --rfc5424", "--tcp --rfc5424", "--tcp --rfc3164", "--tcp --octet-count --rfc3164",
        "--udp --rfc5424", "--udp --rfc3164"})
    void logger(String options) throws Exception {
        assumeTrue(Programs.has("logger"), "no logger here");
        try (LoggingSample logging = LoggingSample.start(directory)) {
            List<String> expected = new ArrayList<>();
            for (String text : List.of("some text", "with ümlauts & \"quotes\"", "1 text that begins like a count")) {
                String record = send(logging, options, text);
                assertTrue(record.startsWith("<165>") && record.endsWith(text), record);
                expected.add(record);
                logging.awaitLines(expected.toArray(String[]::new));
            }
            assertTrue(logging.stop().startsWith("3 records accepted, 0 malformed"));
        }
    }

    private static String send(LoggingSample logging, String options, String text) throws Exception {
        List<String> command = new ArrayList<>(List.of("logger", "--stderr", "--server", "127.0.0.1", "--port",
                Integer.toString(logging.address().getPort()), "--priority", "local4.notice", "--tag", "tests"));
        command.addAll(List.of(options.split(" ")));
        command.add(text);
        Process logger = new ProcessBuilder(command).start();
        try {
            assertTrue(logger.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS));
            String shown = new String(logger.getErrorStream().readAllBytes(), UTF_8);
            assertEquals(0, logger.exitValue(), shown);
            // Some versions show the count in front of the record as well.
            return shown.stripTrailing().replaceFirst("^\\d+ <", "<");
        } finally {
            logger.destroyForcibly().waitFor();
        }
    }
}
