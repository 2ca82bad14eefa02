package dev.sluice.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the tests of one process cost, as lines of a file in the directory {@code sluice.tests.ledger}.
 * {@code .mvn/Ledger.java} adds up the files at the end of the build. Writes nothing if the property is missing. May be
 * called by any thread.
 *
 * <p>A line has fields separated by tabs: its kind, the run that {@code sluice.tests.run} names, and those of the kind.
 */
final class Ledger {

    private static final Ledger CURRENT = new Ledger(System.getProperty("sluice.tests.ledger", ""),
            System.getProperty("sluice.tests.run", "-"));

    private final Path file;
    private final String run;
    private final List<String> unwritten = new ArrayList<>();

    private Ledger(String directory, String run) {
        file = directory.isEmpty() ? null : Path.of(directory, ProcessHandle.current().pid() + "-"
                + Long.toHexString(System.nanoTime()) + ".tsv");
        this.run = run;
    }

    /** {@return the ledger of this process} */
    static Ledger current() {
        return CURRENT;
    }

    /**
     * Adds a line.
     *
     * @param kind   of the line
     * @param fields of the line, whose white space becomes spaces
     */
    synchronized void add(String kind, Object... fields) {
        if (file != null) {
            unwritten.add(Stream.concat(Stream.of(kind, run), Stream.of(fields))
                    .map(field -> field.toString().replaceAll("\\s+", " ")).collect(Collectors.joining("\t")));
        }
    }

    /** Writes the lines that have been added. */
    synchronized void write() {
        if (unwritten.isEmpty()) {
            return;
        }
        try {
            Files.createDirectories(file.getParent());
            Files.write(file, unwritten, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        unwritten.clear();
    }
}
