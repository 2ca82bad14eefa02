package dev.sluice.samples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Checks whether a source is newer than the build. Called by the launcher for Windows, whose command interpreter shows
 * times only in the user's language, and to the minute. Checks the same files as the launcher for Unix: those that
 * {@link ModuleList} lists up to the given module.
 */
final class Freshness {

    /** The exit code if something has to be built; Java itself fails with 1. */
    static final int OUTDATED = 3;

    private Freshness() {
    }

    /**
     * Exits with 0 if what is built is up to date, and with {@value #OUTDATED} if not.
     *
     * @param arguments the root of the source tree, the file that was written when it was built, and the module
     */
    public static void main(String[] arguments) throws IOException {
        System.exit(isOutdated(Path.of(arguments[0]), Path.of(arguments[1]), arguments[2]) ? OUTDATED : 0);
    }

    static boolean isOutdated(Path root, Path stamp, String module) throws IOException {
        return !Files.exists(stamp) || newer(root, stamp, module).isPresent();
    }

    /** {@return a source that is newer than this file} */
    static Optional<Path> newer(Path root, Path stamp, String module) throws IOException {
        FileTime built = Files.getLastModifiedTime(stamp);
        for (Path source : ModuleList.sources(module, root)) {
            try (Stream<Path> files = Files.walk(source)) {
                // A file that was removed, or moved without being touched, has changed only its directory.
                for (Path file : (Iterable<Path>) files::iterator) {
                    if (Files.getLastModifiedTime(file).compareTo(built) > 0) {
                        return Optional.of(file);
                    }
                }
            }
        }
        return Optional.empty();
    }
}
