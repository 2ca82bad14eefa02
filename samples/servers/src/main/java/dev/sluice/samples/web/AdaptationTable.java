package dev.sluice.samples.web;

import dev.sluice.samples.server.FileProblem;
import dev.sluice.samples.server.UnusableOptionException;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a server has seen and decided, a row of comma-separated values for each look. For one thread. */
final class AdaptationTable implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(AdaptationTable.class);

    private final String file;
    private final BufferedWriter out;
    /** The names of the columns; null before the first row. */
    private List<String> names;
    private boolean failed;

    private AdaptationTable(String file, BufferedWriter out) {
        this.file = file;
        this.out = out;
    }

    /**
     * Begins a file; what has been there is gone.
     *
     * @param option has named it, for the message
     * @param file   its path
     * @throws IOException if that is impossible
     */
    static AdaptationTable open(String option, String file) throws IOException {
        try {
            return new AdaptationTable(file, Files.newBufferedWriter(Path.of(file)));
        } catch (IOException | InvalidPathException e) {
            throw new UnusableOptionException(option, FileProblem.describe(e), e);
        }
    }

    /**
     * Adds a row. The first one has the names of all columns; none of the values has a comma. The server goes on
     * without the table if it cannot be written.
     */
    void add(Map<String, Object> row) {
        if (failed) {
            return;
        }
        try {
            if (names == null) {
                names = List.copyOf(row.keySet());
                line(String.join(",", names));
            }
            line(names.stream().map(name -> row.getOrDefault(name, "").toString()).collect(Collectors.joining(",")));
            out.flush();
        } catch (IOException e) {
            failed = true;
            LOG.warn("{} gets no more rows: {}", file, FileProblem.describe(e));
        }
    }

    private void line(String text) throws IOException {
        out.write(text);
        out.write("\r\n");
    }

    /** Closes the file. Rows that could not be written are no failure any more. */
    @Override
    public void close() throws IOException {
        try {
            out.close();
        } catch (IOException e) {
            // It has tried once more to write what the file did not take before.
            if (!failed) {
                throw e;
            }
        }
    }
}
