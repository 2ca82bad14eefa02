package dev.sluice.reactor;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.eventloop.OsSignal;
import java.io.BufferedReader;
import java.io.FileReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** What this process does with a signal, as the system tells it. */
final class Disposition {

    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String CAUGHT = "SigCgt:";

    private static final Map<OsSignal, Integer> NUMBERS = Map.of(
            OsSignal.USR1, 10, OsSignal.CONT, 18, OsSignal.URG, 23, OsSignal.WINCH, 28);

    private Disposition() {
    }

    /** {@return whether the process has a handler for it} */
    static boolean isCaught(OsSignal signal) throws IOException {
        assumeTrue(Files.exists(STATUS), "the system does not tell");
        // Not by a channel, with the first of which Java 17 opens a socket for itself: that would look like a leak.
        try (BufferedReader lines = new BufferedReader(new FileReader(STATUS.toFile()))) {
            String mask = lines.lines()
                    .filter(line -> line.startsWith(CAUGHT))
                    .findFirst().orElseThrow()
                    .substring(CAUGHT.length()).strip();
            return (Long.parseUnsignedLong(mask, 16) >>> NUMBERS.get(signal) - 1 & 1) != 0;
        }
    }
}
