package dev.sluice.calls.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.calls.PerSystem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is claimed for systems that no compiler here speaks for is what a table of their headers' numbers says. */
class BsdAbiTest {

    private static final String TABLE = "bsd-abi.txt";

    @ParameterizedTest
    @CsvSource({
        "Mac OS X, aarch64, 1",
        "Mac OS X, x86_64, 1",
        "FreeBSD, amd64, 2",
        "FreeBSD, aarch64, 2",
        "OpenBSD, amd64, 3",
        "OpenBSD, aarch64, 3"
    })
    void everyClaimStandsInTheTable(String osName, String osArch, int column) throws Exception {
        Map<String, Long> claimed = new TreeMap<>(ClaimListing.on(osName, osArch));
        for (Claims claims : LayoutPackage.claims()) {
            if (claims.on() != On.UNIX && claims.on() != On.BSD) {
                claims.list().forEach(claim -> claimed.remove(claims.key(claim)));
            }
        }
        assertEquals(lines(table(column)), lines(claimed), () -> "left the table, right the classes, on " + osName);
    }

    @Test
    void libkqueueHasTheLayoutOfMacosAndTheNumbersOfFreebsd() throws Exception {
        Map<String, Long> linux = ClaimListing.on("Linux", "x86_64");
        table(1).forEach((key, value) -> {
            if (key.startsWith("Kevent.")) {
                assertEquals(value, linux.get(key), key);
            }
        });
        table(2).forEach((key, value) -> {
            if (key.startsWith("KqueueConstants.")) {
                assertEquals(value, linux.get(key), key);
            }
        });
    }

    private static Map<String, Long> table(int column) throws IOException {
        try (InputStream table = BsdAbiTest.class.getResourceAsStream(TABLE)) {
            return new String(table.readAllBytes(), StandardCharsets.UTF_8).lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split(" +"))
                    .collect(Collectors.toMap(row -> row[0], row -> number(row[column]), (a, b) -> a, TreeMap::new));
        }
    }

    private static long number(String text) {
        return text.equals("-") ? PerSystem.NONE : Long.decode(text);
    }

    private static String lines(Map<String, Long> values) {
        return values.entrySet().stream().map(Object::toString).collect(Collectors.joining("\n"));
    }
}
