package dev.sluice.samples.documents;

import dev.sluice.samples.Repository;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Every page in Markdown of this repository. */
public final class Documents {

    /** Those whose commands are run by tests, as they stand there. */
    public static final List<String> WITH_COMMANDS =
            List.of("README.md", "docs/start.md", "docs/choosing.md", "docs/looking-inside.md", "docs/operations.md",
                    "samples/README.md", "samples/benchmarks/README.md");

    /** Where there is nothing that belongs to the sources. */
    static final Set<String> NO_SOURCES = Set.of("target", ".git");

    /** What a run of tests begins the names of files with that it makes beside the sources, and deletes. */
    private static final String OF_SUREFIRE = ".surefire-";

    private Documents() {
    }

    /** {@return their names, from the root} */
    static List<String> names() throws IOException {
        Path root = Repository.root();
        return sources().stream().map(file -> root.relativize(file).toString()).filter(name -> name.endsWith(".md"))
                .toList();
    }

    /** {@return the files of this project that no build has made, in their order} */
    static List<Path> sources() throws IOException {
        Set<Path> sources = new TreeSet<>();
        Files.walkFileTree(Repository.root(), new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes about) {
                return NO_SOURCES.contains(directory.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes about) {
                String name = file.getFileName().toString();
                // In a work tree .git may be a file.
                if (!NO_SOURCES.contains(name) && !name.startsWith(OF_SUREFIRE)) {
                    sources.add(file);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                if (file.getFileName().toString().startsWith(OF_SUREFIRE) && e instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw e;
            }
        });
        return List.copyOf(sources);
    }
}
