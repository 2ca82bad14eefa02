package dev.sluice.benchmarks.peers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A directory for the temporary files of one process. A process that is killed cannot delete them itself. */
record TemporaryFiles(Path directory) {

    /**
     * Creates the directory.
     *
     * @param parent where to create it
     * @throws IOException if that fails
     */
    static TemporaryFiles create(Path parent) throws IOException {
        return new TemporaryFiles(Files.createTempDirectory(parent, "server-"));
    }

    /** {@return the option by which a virtual machine uses the directory} */
    String option() {
        return "-Djava.io.tmpdir=" + directory.toAbsolutePath();
    }

    /** Deletes the directory and what is in it. The process has ended. */
    void delete() {
        try (Stream<Path> all = Files.walk(directory)) {
            List<Path> contentFirst = all.sorted(Comparator.reverseOrder()).toList();
            for (Path each : contentFirst) {
                Files.delete(each);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
