package dev.sluice.samples.documents;

import dev.sluice.samples.Repository;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
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
            List.of("README.md", "samples/README.md", "samples/benchmarks/README.md");

    /** Where there is nothing that belongs to the sources. */
    static final Set<String> NO_SOURCES = Set.of("target", ".git");

    private Documents() {
    }

    /** {@return their names, from the root} */
    static List<String> names() throws IOException {
        Path root = Repository.root();
        Set<String> names = new TreeSet<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes about) {
                return NO_SOURCES.contains(directory.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes about) {
                if (file.toString().endsWith(".md")) {
                    names.add(root.relativize(file).toString());
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return List.copyOf(names);
    }
}
