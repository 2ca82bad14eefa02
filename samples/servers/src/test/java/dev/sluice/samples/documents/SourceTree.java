package dev.sluice.samples.documents;

import dev.sluice.samples.JavaHome;
import dev.sluice.samples.Repository;
import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A project in a directory of its own, to be built by Maven: what the build of this project has fetched is linked into
 * a local repository that begins without this project's own artifacts. A copy of this project may fetch more, since it
 * is installed, which this one may never have been; any other project has to do with what is there.
 */
final class SourceTree implements AutoCloseable {

    private static final List<String> OWN_GROUP = List.of("dev", "sluice");

    private final Path root;
    private final Path localRepository;
    private final List<Path> links = new ArrayList<>();

    /** An empty one, with a local repository that it shares; it is built without the network. */
    SourceTree(Path root, Path localRepository) throws IOException {
        this(root, localRepository, "-o\n");
    }

    private SourceTree(Path root, Path localRepository, String options) throws IOException {
        this.root = Files.createDirectories(root);
        this.localRepository = localRepository;
        if (Files.notExists(localRepository)) {
            // Surefire tells its tests by this property where the build has it.
            String shared = System.getProperty("localRepository", System.getProperty("user.home") + "/.m2/repository");
            link(Path.of(shared), Files.createDirectories(localRepository), OWN_GROUP);
        }
        // What every mvn in this directory is given as well, so that commands need not be changed.
        write(".mvn/maven.config", "-B\n-ntp\n" + options + "-Dmaven.repo.local=" + localRepository + "\n");
    }

    /** Links all there is but what has this path. */
    private void link(Path from, Path to, List<String> except) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(from)) {
            for (Path entry : entries) {
                Path name = entry.getFileName();
                if (except.isEmpty() || !name.toString().equals(except.get(0))) {
                    links.add(Files.createSymbolicLink(to.resolve(name), entry));
                } else if (except.size() > 1) {
                    link(entry, Files.createDirectory(to.resolve(name)), except.subList(1, except.size()));
                }
            }
        }
    }

    /** A copy of this project as it would come out of version control: without anything that was built. */
    static SourceTree copyOfThis(Path root, Path localRepository) throws IOException {
        SourceTree copy = new SourceTree(root, localRepository, "");
        Path original = Repository.root();
        for (Path file : Documents.sources()) {
            Path target = root.resolve(original.relativize(file));
            Files.createDirectories(target.getParent());
            if (Files.exists(target)) {
                // The options for Maven that this project has, besides those of the copy.
                Files.writeString(target, Files.readString(file), StandardOpenOption.APPEND);
            } else {
                Files.copy(file, target, StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
        return copy;
    }

    Path root() {
        return root;
    }

    Path localRepository() {
        return localRepository;
    }

    void write(String name, String text) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    /** {@return what a shell makes of it in this directory} */
    ProcessBuilder shell(String command) {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", command).directory(root.toFile());
        builder.environment().put("JAVA_HOME", JavaHome.own().path().toString());
        builder.environment().put("JAVA25_HOME", JavaHome.own().path().toString());
        builder.environment().remove("MAVEN_OPTS");
        builder.environment().remove("MAVEN_ARGS");
        return builder;
    }

    /** {@return the names of all jars that were built, from the root} */
    Set<String> jars() throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            Set<String> names = new TreeSet<>();
            files.filter(file -> file.toString().endsWith(".jar"))
                    .forEach(file -> names.add(root.relativize(file).toString().replace(File.separatorChar, '/')));
            return names;
        }
    }

    /** Removes the links: JUnit warns of each that it finds in a temporary directory. */
    @Override
    public void close() throws IOException {
        for (Path link : links) {
            Files.deleteIfExists(link);
        }
    }
}
