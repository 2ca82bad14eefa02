package dev.sluice.samples.logging;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.samples.Programs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records of logger(1). */
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
                String record = UtilLinuxLogger.send(logging.address(), options, text);
                assertTrue(record.startsWith("<165>") && record.endsWith(text), record);
                expected.add(record);
                logging.awaitLines(expected.toArray(String[]::new));
            }
            assertTrue(logging.stop().startsWith("3 records accepted, 0 malformed"));
        }
    }
}
