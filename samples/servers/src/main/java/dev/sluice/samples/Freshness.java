package dev.sluice.samples;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Set;

/**
 * Whether something in the source tree is newer than what was built of it. The launcher for Windows asks, whose command
 * interpreter shows times only as the user's language writes them, and to the minute. It looks at what the launcher for
 * Unix looks at.
 */
final class Freshness {

    /** What the launcher takes for the answer that something has to be built; Java itself fails with 1. */
    static final int OUTDATED = 3;

    private static final List<String> PARTS = List.of("pom.xml", "native", "java-api", "demultiplexers", "samples");
    private static final Set<String> PASSED_OVER = Set.of("target", "jcstress");
    private static final Path BENCHMARKS = Path.of("samples", "benchmarks");

    private Freshness() {
    }

    /**
     * Exits with 0 if what is built is up to date, and with {@value #OUTDATED} if not.
     *
     * @param arguments the root of the source tree, the file that was written when it was built, and {@code bench} if
     *                  the benchmarks are meant
     */
    public static void main(String[] arguments) throws IOException {
        boolean benchmarks = arguments.length > 2 && arguments[2].equals("bench");
        System.exit(isOutdated(Path.of(arguments[0]), Path.of(arguments[1]), benchmarks) ? OUTDATED : 0);
    }

    static boolean isOutdated(Path root, Path stamp, boolean benchmarks) throws IOException {
        FileTime built;
        try {
            built = Files.getLastModifiedTime(stamp);
        } catch (NoSuchFileException e) {
            return true;
        }
        Search search = new Search(root, built, benchmarks);
        for (String part : PARTS) {
            if (Files.exists(root.resolve(part))) {
                Files.walkFileTree(root.resolve(part), search);
            }
        }
        return search.found;
    }

    /** Ends at the first file that is newer. */
    private static final class Search extends SimpleFileVisitor<Path> {

        private final Path root;
        private final FileTime built;
        private final boolean benchmarks;
        private boolean found;

        Search(Path root, FileTime built, boolean benchmarks) {
            this.root = root;
            this.built = built;
            this.benchmarks = benchmarks;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            Path relative = root.relativize(directory);
            boolean passedOver = PASSED_OVER.contains(directory.getFileName().toString())
                    || relative.endsWith(Path.of("src", "test")) || !benchmarks && relative.equals(BENCHMARKS);
            // A file that was removed, or moved without being touched, has changed only its directory.
            return passedOver ? FileVisitResult.SKIP_SUBTREE : look(relative, attributes);
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            return look(root.relativize(file), attributes);
        }

        private FileVisitResult look(Path relative, BasicFileAttributes attributes) {
            boolean counts = relative.endsWith("pom.xml") || isProduct(relative);
            found |= counts && attributes.lastModifiedTime().compareTo(built) > 0;
            return found ? FileVisitResult.TERMINATE : FileVisitResult.CONTINUE;
        }

        private static boolean isProduct(Path relative) {
            for (int i = 0; i + 1 < relative.getNameCount(); i++) {
                if (relative.getName(i).toString().equals("src") && relative.getName(i + 1).toString().equals("main")) {
                    return true;
                }
            }
            return false;
        }
    }
}
