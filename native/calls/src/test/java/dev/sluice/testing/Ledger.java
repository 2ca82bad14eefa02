package dev.sluice.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * What the tests of one fork cost, as lines of a file of its own in the directory {@code sluice.tests.ledger};
 * {@code .mvn/Ledger.java} adds them up at the end of the build. Writes nothing if the property is missing.
 * May be called by any thread.
 */
final class Ledger {

    private static final Ledger CURRENT = new Ledger(System.getProperty("sluice.tests.ledger", ""));

    private final Path file;

    private Ledger(String directory) {
        // A process may be started with the properties of a fork, so the number of the fork is no name for a file.
        file = directory.isEmpty() ? null : Path.of(directory, ProcessHandle.current().pid() + "-"
                + Long.toHexString(System.nanoTime()) + ".tsv");
    }

    static Ledger current() {
        return CURRENT;
    }

    /** Notes values that a test was not run on. */
    void leftOut(String test, int howMany) {
        write("left-out", test, howMany, 0, 0, "");
    }

    /** Appends a line: what, which, when it began, wall time and CPU time in microseconds, and a text. */
    synchronized void write(String what, String which, long number, long wallMicros, long cpuMicros, String text) {
        if (file == null) {
            return;
        }
        String line = String.join("\t", what, which, Long.toString(number), Long.toString(wallMicros),
                Long.toString(cpuMicros), text.replaceAll("\\s+", " ")) + "\n";
        try {
            Files.createDirectories(file.getParent());
            Files.write(file, line.getBytes(StandardCharsets.UTF_8), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
