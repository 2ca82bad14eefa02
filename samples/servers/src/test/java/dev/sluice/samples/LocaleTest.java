package dev.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server where the default locale has digits of its own, which what reads its lines does not know. */
class LocaleTest {

    @Test
    void linesOfTheLogHaveAsciiDigits(@TempDir Path directory) throws Exception {
        Path zone = Files.writeString(directory.resolve("zone"), """
                \\001.example.org. 60 SOA ns.example.org. hostmaster.example.org. 1 2 3 4 5
                """);
        try (SampleProcess process = SampleCommand.of("dns", "--port", "0", "--zone", zone.toString())
                .withOption("-Duser.language=ar").withOption("-Duser.country=EG").startProcess()) {
            process.awaitAddress();
            process.hangUp();
            String line = process.errors().awaitLine("the log", each -> each.contains("reloaded: "));
            assertTrue(line.chars().noneMatch(each -> Character.isDigit(each) && each > '9'), line);
            assertTrue(line.endsWith("the zone \\001.example.org., 1 records"), line);
        }
    }
}
