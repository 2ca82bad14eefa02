package dev.sluice.samples;

import java.nio.file.Files;
import java.nio.file.Path;

/** The source tree that the tests run in. */
public final class Repository {

    private Repository() {
    }

    public static Path root() {
        Path start = Path.of(System.getProperty("basedir", "")).toAbsolutePath();
        for (Path directory = start; directory != null; directory = directory.getParent()) {
            if (Files.exists(directory.resolve("sluice")) && Files.isDirectory(directory.resolve("samples"))) {
                return directory;
            }
        }
        throw new IllegalStateException("no repository above " + start);
    }
}
