package dev.sluice.samples.web.files;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * The small site that ships with the sample, laid out in a directory of its own: only what has a descriptor can be
 * transmitted or mapped, and a resource in a jar has none.
 */
public final class BundledSite implements Closeable {

    private static final String RESOURCES = "/dev/sluice/samples/web/site/";
    private static final List<String> NAMES =
            List.of("index.html", "patterns.html", "style.css", "icon.svg", "sample.txt");

    private final Path directory;

    /**
     * Copies the site to a temporary directory.
     *
     * @throws IOException if that is impossible
     */
    public BundledSite() throws IOException {
        directory = Files.createTempDirectory("sluice-site");
        try {
            for (String name : NAMES) {
                try (InputStream in = BundledSite.class.getResourceAsStream(RESOURCES + name)) {
                    Files.copy(Objects.requireNonNull(in, name), directory.resolve(name));
                }
            }
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    /** {@return where it is} */
    public Path directory() {
        return directory;
    }

    /** Deletes the directory. */
    @Override
    public void close() throws IOException {
        for (String name : NAMES) {
            Files.deleteIfExists(directory.resolve(name));
        }
        Files.deleteIfExists(directory);
    }
}
