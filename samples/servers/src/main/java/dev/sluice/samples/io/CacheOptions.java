package dev.sluice.samples.io;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.samples.configurator.Changeable;
import dev.sluice.samples.server.FileProblem;
import dev.sluice.samples.server.RegularFile;
import dev.sluice.samples.server.ServerOptions;
import dev.sluice.samples.server.UnusableOptionException;
import dev.sluice.samples.web.files.CacheStrategy;
import dev.sluice.samples.web.files.CachedFileSystem;
import dev.sluice.samples.web.files.DocumentRoot;
import dev.sluice.samples.web.files.FileOptions;
import dev.sluice.samples.web.files.MediaTypes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Options for the JAWS paper's cached virtual file system: which files stay open, and what is known of them. */
final class CacheOptions {

    private static final int MAX_OPEN_FILES = 1 << 20;
    /** Maximum number of watched directories; a user has at least some thousand watches, for all programs. */
    private static final int MAX_WATCHED = 1024;
    private static final String SYSTEM_TYPES = "/etc/mime.types";
    private static final int MAX_HINTS = 1 << 24;
    private static final String HINTS = "--cache hinted and --cache-hints require each other";
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);

    @Changeable
    @Option(names = "--cache", paramLabel = "STRATEGY", defaultValue = "lru",
            description = "Which open file is evicted for another one: lru (the least recently used), lfu (the least "
                    + "frequently used), hinted (one without a hint, or the last in --cache-hints), structured (the "
                    + "deepest below the root); none keeps no file open (default: ${DEFAULT-VALUE}).")
    private CacheStrategy cache;

    @Changeable
    @Option(names = "--cache-files", paramLabel = "N", defaultValue = "256",
            description = "Maximum number of files to keep open (default: ${DEFAULT-VALUE}).")
    private int openFiles;

    @Changeable
    @Option(names = "--cache-hints", paramLabel = "FILE",
            description = "File with the hints for --cache hinted: a path in each line, the most valuable one first; "
                    + "a path that ends with a slash stands for everything below it.")
    private Path cacheHints;

    @Changeable
    @Option(names = "--mime-types", paramLabel = "FILE",
            description = "More media types, in the format of " + SYSTEM_TYPES + " (default: that file, if it is "
                    + "there).")
    private Path mimeTypes;

    /**
     * Checks each option by itself.
     *
     * @throws ParameterException if one is wrong
     */
    void check(ServerOptions server) {
        server.requireNamed("--mime-types", mimeTypes);
        server.requireNamed("--cache-hints", cacheHints);
        server.requireRange("--cache-files", openFiles, 1, MAX_OPEN_FILES);
    }

    /**
     * Checks options that depend on each other.
     *
     * @throws ParameterException if they contradict each other
     */
    void requireConsistent(ServerOptions server) {
        if (cache == CacheStrategy.HINTED && cacheHints == null) {
            throw server.bad("--cache", HINTS);
        }
        if (cache != CacheStrategy.HINTED && cacheHints != null) {
            throw server.bad("--cache-hints", HINTS);
        }
    }

    /**
     * Opens the files below a directory.
     *
     * @param root           the directory
     * @param maxCompressed size of the largest file to compress, in octets; 0 for none
     * @param indexPages     names of the file that stands for a directory, the best one first
     * @param mapped         how much memory files may be mapped to, in octets
     * @return the files, which the caller closes
     * @throws IOException if a file that an option names cannot be read
     */
    CachedFileSystem openFiles(DocumentRoot root, int maxCompressed, List<String> indexPages, int mapped)
            throws IOException {
        CachedFileSystem files = new CachedFileSystem(root, new FileOptions(cache, openFiles, CHECK_INTERVAL,
                maxCompressed, indexPages, types(), hints(), mapped));
        files.watch(MAX_WATCHED);
        return files;
    }

    private List<String> hints() throws IOException {
        if (cacheHints == null) {
            return List.of();
        }
        try {
            ByteBuffer octets = ByteBuffer.wrap(RegularFile.read(cacheHints, MAX_HINTS));
            return UTF_8.newDecoder().decode(octets).toString().lines().map(String::strip)
                    .filter(line -> line.startsWith("/")).toList();
        } catch (CharacterCodingException e) {
            throw new UnusableOptionException("--cache-hints", cacheHints + " is not in UTF-8", e);
        } catch (IOException e) {
            throw new UnusableOptionException("--cache-hints", FileProblem.describe(e), e);
        }
    }

    private MediaTypes types() throws IOException {
        Path system = Path.of(SYSTEM_TYPES);
        if (mimeTypes == null && !Files.isReadable(system)) {
            return MediaTypes.BUILT_IN;
        }
        try {
            return MediaTypes.read(mimeTypes == null ? system : mimeTypes);
        } catch (IOException e) {
            throw new UnusableOptionException("--mime-types", FileProblem.describe(e), e);
        }
    }
}
