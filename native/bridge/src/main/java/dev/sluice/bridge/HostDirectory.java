package dev.sluice.bridge;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The host's files, in a temporary directory of this process: the program and a Wine prefix. A prefix as Wine makes it
 * takes seconds and 700 MB, nearly all of it copies of libraries; this one has links to the few that the calls need,
 * and says that it wants no more.
 */
final class HostDirectory {

    private static final Logger LOG = LoggerFactory.getLogger(HostDirectory.class);

    private static final String NAME = "sluice-wine-";
    private static final String LOCK = "lock";
    private static final long COMPILE_SECONDS = 120;
    private static final List<String> LIBRARIES = List.of("advapi32", "kernel32", "kernelbase", "msvcrt", "mswsock",
            "ntdll", "sechost", "ucrtbase", "ws2_32");

    private final Path directory;
    // Held as long as the process lives: the directory of one that was killed is told by its free lock.
    private final FileChannel lock;

    private HostDirectory(Path directory, FileChannel lock) {
        this.directory = directory;
        this.lock = lock;
    }

    static HostDirectory create(WineInstallation wine) throws IOException {
        removeAbandoned();
        Path directory = Files.createTempDirectory(NAME);
        HostDirectory created = new HostDirectory(directory, locked(directory));
        try {
            created.makePrefix(wine.libraries());
            created.compile(wine.compiler());
            return created;
        } catch (IOException e) {
            created.delete();
            throw e;
        }
    }

    // Locked before it gets the name that others look for.
    private static FileChannel locked(Path directory) throws IOException {
        Path unnamed = directory.resolve("unnamed");
        FileChannel lock = FileChannel.open(unnamed, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        lock.lock();
        Files.move(unnamed, directory.resolve(LOCK));
        return lock;
    }

    Path program() {
        return directory.resolve("host.exe");
    }

    Path prefix() {
        return directory.resolve("prefix");
    }

    /** {@return where the host's standard error goes} */
    Path errors() {
        return directory.resolve("errors");
    }

    void delete() throws IOException {
        delete(directory);
        lock.close();
    }

    private void makePrefix(Path libraries) throws IOException {
        Path system = Files.createDirectories(prefix().resolve("drive_c/windows/system32"));
        for (String library : LIBRARIES) {
            Files.createSymbolicLink(system.resolve(library + ".dll"), libraries.resolve(library + ".dll"));
        }
        // What Wine looks at to see whether the prefix is to be made, or made new.
        Files.writeString(prefix().resolve(".update-timestamp"), "disable\n");
    }

    private void compile(Path compiler) throws IOException {
        Path source = directory.resolve("host.c");
        try (InputStream text = HostDirectory.class.getResourceAsStream("host.c")) {
            Files.copy(text, source);
        }
        // For windows, or Wine starts a console beside it.
        Process compilation = new ProcessBuilder(compiler.toString(), "-O2", "-mwindows", "-o", program().toString(),
                source.toString()).redirectErrorStream(true).redirectOutput(errors().toFile()).start();
        try {
            if (!compilation.waitFor(COMPILE_SECONDS, TimeUnit.SECONDS) || compilation.exitValue() != 0) {
                throw new IOException(compiler + " does not compile the Win32 host: " + Files.readString(errors()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while compiling the Win32 host", e);
        } finally {
            compilation.destroyForcibly();
        }
    }

    private static void removeAbandoned() throws IOException {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        try (DirectoryStream<Path> candidates = Files.newDirectoryStream(temporary, NAME + "*")) {
            for (Path candidate : candidates) {
                removeIfAbandoned(candidate);
            }
        }
    }

    private static void removeIfAbandoned(Path candidate) throws IOException {
        // Not created: a directory without the file is one that is just being made.
        try (FileChannel lock = FileChannel.open(candidate.resolve(LOCK), StandardOpenOption.WRITE);
             FileLock held = lock.tryLock()) {
            if (held != null) {
                delete(candidate);
            }
        } catch (NoSuchFileException | AccessDeniedException | UncheckedIOException e) {
            LOG.debug("somebody else makes, removes or owns {}", candidate, e);
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> tree = Files.walk(directory)) {
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
